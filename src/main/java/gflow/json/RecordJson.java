package gflow.json;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Writes records as JSON and reads them back. A component {@code jobId} is the field {@code
 * job_id}; Optional and null are null; of a sealed type the field {@code type} says which record it
 * is. Fields that the record does not have are an error, so that a typing mistake is not a silent
 * default; so is one that is missing, unless it is an Optional, a collection (empty) or {@code
 * Nullable}.
 */
public final class RecordJson {
  private static final ClassValue<Shape> SHAPES =
      new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
          return Shape.of(type);
        }
      };

  private RecordJson() {}

  public static String write(Object record) {
    return Json.text(tree(record));
  }

  public static <T> T read(Class<T> type, String json) throws BadJson {
    return fromTree(type, Json.parse(json));
  }

  public static <T> T fromTree(Class<T> type, @Nullable Object tree) throws BadJson {
    return type.cast(value(type, tree, "value"));
  }

  /** The value as maps, lists, strings, numbers, booleans and nulls. */
  public static @Nullable Object tree(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case String s -> s;
      case Boolean b -> b;
      case Integer i -> i;
      case Long l -> l;
      case Double d -> d;
      case Enum<?> e -> e.name();
      case Instant i -> i.toString();
      case Duration d -> d.toString();
      case byte[] bytes -> Base64.getEncoder().encodeToString(bytes);
      case Optional<?> o -> tree(o.orElse(null));
      case OptionalLong o -> o.isPresent() ? o.getAsLong() : null;
      case OptionalInt o -> o.isPresent() ? o.getAsInt() : null;
      case Collection<?> list -> {
        var all = new ArrayList<@Nullable Object>();
        list.forEach(part -> all.add(tree(part)));
        yield all;
      }
      case Map<?, ?> map -> {
        var all = new LinkedHashMap<String, @Nullable Object>();
        map.forEach((name, part) -> all.put(name.toString(), tree(part)));
        yield all;
      }
      case Record record -> SHAPES.get(record.getClass()).tree(record);
      default -> throw new IllegalArgumentException("no JSON form for " + value.getClass());
    };
  }

  private static Object value(Type type, @Nullable Object tree, String where) throws BadJson {
    if (type instanceof ParameterizedType generic) {
      return generic(generic, tree, where);
    }
    var wanted = (Class<?>) type;
    if (tree == null) {
      return absent(wanted, where);
    }
    try {
      return present(wanted, tree, where);
    } catch (IllegalArgumentException | ClassCastException | java.time.DateTimeException e) {
      throw new BadJson(where + ": " + e.getMessage());
    }
  }

  private static Object absent(Class<?> wanted, String where) throws BadJson {
    if (wanted == OptionalLong.class) {
      return OptionalLong.empty();
    }
    if (wanted == OptionalInt.class) {
      return OptionalInt.empty();
    }
    throw new BadJson(where + " is missing");
  }

  private static Object present(Class<?> wanted, Object tree, String where) throws BadJson {
    if (wanted == String.class) {
      return expect(String.class, tree, where, "a text");
    } else if (wanted == int.class || wanted == Integer.class) {
      return Math.toIntExact(whole(tree, where));
    } else if (wanted == long.class || wanted == Long.class) {
      return whole(tree, where);
    } else if (wanted == double.class || wanted == Double.class) {
      return expect(Number.class, tree, where, "a number").doubleValue();
    } else if (wanted == boolean.class || wanted == Boolean.class) {
      return expect(Boolean.class, tree, where, "true or false");
    } else if (wanted == OptionalLong.class) {
      return OptionalLong.of(whole(tree, where));
    } else if (wanted == OptionalInt.class) {
      return OptionalInt.of(Math.toIntExact(whole(tree, where)));
    } else if (wanted == Instant.class) {
      return Instant.parse(expect(String.class, tree, where, "a time"));
    } else if (wanted == Duration.class) {
      return Duration.parse(expect(String.class, tree, where, "a duration"));
    } else if (wanted == byte[].class) {
      return Base64.getDecoder().decode(expect(String.class, tree, where, "base64"));
    } else if (wanted.isEnum()) {
      String name = expect(String.class, tree, where, "a word");
      return Arrays.stream(wanted.getEnumConstants())
          .filter(c -> ((Enum<?>) c).name().equals(name))
          .findFirst()
          .orElseThrow(() -> new BadJson(where + ": there is no " + name));
    }
    return SHAPES.get(wanted).read(expect(Map.class, tree, where, "an object"), where);
  }

  private static Object generic(ParameterizedType type, @Nullable Object tree, String where)
      throws BadJson {
    Type part = type.getActualTypeArguments()[type.getActualTypeArguments().length - 1];
    Class<?> raw = (Class<?>) type.getRawType();
    if (raw == Optional.class) {
      return tree == null ? Optional.empty() : Optional.of(value(part, tree, where));
    }
    if (raw == SortedMap.class) {
      var map = new TreeMap<String, Object>();
      Map<?, ?> given = tree == null ? Map.of() : expect(Map.class, tree, where, "an object");
      for (var entry : given.entrySet()) {
        String name = entry.getKey().toString();
        map.put(name, value(part, entry.getValue(), where + "." + name));
      }
      return map;
    }
    Collection<Object> all = raw == Set.class ? new TreeSet<>() : new ArrayList<>();
    List<?> given = tree == null ? List.of() : expect(List.class, tree, where, "a list");
    for (Object one : given) {
      all.add(value(part, one, where + "[" + all.size() + "]"));
    }
    return all;
  }

  private static long whole(Object tree, String where) throws BadJson {
    double number = expect(Number.class, tree, where, "a number").doubleValue();
    if (tree instanceof Long exact) {
      return exact;
    }
    if (number != Math.rint(number) || Math.abs(number) > 1L << 53) {
      throw new BadJson(where + ": expected a whole number, was " + tree);
    }
    return (long) number;
  }

  private static <T> T expect(Class<T> type, Object tree, String where, String what)
      throws BadJson {
    if (!type.isInstance(tree)) {
      throw new BadJson(where + ": expected " + what + ", was " + Json.text(tree));
    }
    return type.cast(tree);
  }

  /** How a record, or a sealed type of records, is written: worked out once for each class. */
  private record Shape(
      Class<?> type,
      boolean tagged,
      List<RecordComponent> components,
      List<String> names,
      @Nullable Constructor<?> constructor,
      SortedMap<String, Class<?>> choices) {

    static Shape of(Class<?> type) {
      if (!type.isRecord()) {
        return new Shape(type, false, List.of(), List.of(), null, choices(type));
      }
      var components = List.of(type.getRecordComponents());
      Class<?>[] types = components.stream().map(RecordComponent::getType).toArray(Class<?>[]::new);
      boolean tagged = Arrays.stream(type.getInterfaces()).anyMatch(Class::isSealed);
      try {
        Constructor<?> constructor = type.getDeclaredConstructor(types);
        constructor.setAccessible(true);
        components.forEach(c -> c.getAccessor().setAccessible(true));
        var names = components.stream().map(c -> snake(c.getName())).toList();
        return new Shape(type, tagged, components, names, constructor, new TreeMap<>());
      } catch (NoSuchMethodException e) {
        throw new IllegalStateException("a record without its constructor: " + type, e);
      }
    }

    private static SortedMap<String, Class<?>> choices(Class<?> type) {
      if (!type.isSealed()) {
        throw new IllegalArgumentException("no JSON form for " + type);
      }
      var choices = new TreeMap<String, Class<?>>();
      for (Class<?> choice : type.getPermittedSubclasses()) {
        choices.put(snake(choice.getSimpleName()), choice);
      }
      return choices;
    }

    Map<String, @Nullable Object> tree(Object record) {
      var fields = new LinkedHashMap<String, @Nullable Object>();
      if (tagged) {
        fields.put("type", snake(type.getSimpleName()));
      }
      try {
        for (int i = 0; i < names.size(); i++) {
          Object part = components.get(i).getAccessor().invoke(record);
          fields.put(names.get(i), RecordJson.tree(part));
        }
      } catch (IllegalAccessException | InvocationTargetException e) {
        throw new IllegalStateException(e);
      }
      return fields;
    }

    Object read(Map<?, ?> fields, String where) throws BadJson {
      if (constructor == null) {
        Class<?> choice = choices.get(String.valueOf(fields.get("type")));
        if (choice == null) {
          throw new BadJson(where + ".type: expected one of " + choices.keySet());
        }
        return SHAPES.get(choice).read(fields, where);
      }
      refuseUnknown(fields, where);
      @Nullable Object[] values = new Object[names.size()];
      for (int i = 0; i < values.length; i++) {
        String path = where.equals("value") ? names.get(i) : where + "." + names.get(i);
        Object field = fields.get(names.get(i));
        values[i] =
            field == null && mayBeNull(components.get(i))
                ? null
                : value(components.get(i).getGenericType(), field, path);
      }
      try {
        return constructor.newInstance(values);
      } catch (InvocationTargetException e) {
        throw new BadJson(where + ": " + e.getCause().getMessage());
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }

    private static boolean mayBeNull(RecordComponent component) {
      return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    private void refuseUnknown(Map<?, ?> fields, String where) throws BadJson {
      for (Object name : fields.keySet()) {
        if (!names.contains(name) && !(tagged && name.equals("type"))) {
          throw new BadJson(where + ": there is no field " + name + "; there are " + names);
        }
      }
    }
  }

  static String snake(String camel) {
    var text = new StringBuilder();
    for (int i = 0; i < camel.length(); i++) {
      char c = camel.charAt(i);
      if (Character.isUpperCase(c) && !text.isEmpty()) {
        text.append('_');
      }
      text.append(Character.toLowerCase(c));
    }
    return text.toString();
  }
}
