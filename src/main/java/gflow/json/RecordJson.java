package gflow.json;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractList;
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
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Writes records as JSON and reads them back. A component {@code jobId} is the field {@code
 * job_id}; Optional and null are null; of a sealed type the field {@code type} says which record it
 * is. A field that the record does not have is an error. One that is missing is null, and the
 * record's constructor judges that; but an Optional or a collection is empty, and a number or
 * boolean that is no object must be there. (The annotation {@code Nullable} is not asked: to read
 * it takes a fresh JVM as long as all the rest of a command.)
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

  private static final class Trees extends AbstractList<@Nullable Object> {
    private final List<?> list;

    Trees(List<?> list) {
      this.list = list;
    }

    @Override
    public @Nullable Object get(int index) {
      return tree(list.get(index));
    }

    @Override
    public int size() {
      return list.size();
    }
  }

  /**
   * The value as maps, lists, strings, numbers, booleans and nulls. A list is looked at only when
   * it is read: of a hundred thousand records one at a time is a tree.
   */
  public static @Nullable Object tree(@Nullable Object value) {
    if (value == null
        || value instanceof String
        || value instanceof Boolean
        || value instanceof Integer
        || value instanceof Long
        || value instanceof Double) {
      return value;
    } else if (value instanceof Record record) {
      return SHAPES.get(record.getClass()).tree(record);
    } else if (value instanceof List<?> list) {
      return new Trees(list);
    } else if (value instanceof Collection<?> list) {
      var all = new ArrayList<@Nullable Object>();
      list.forEach(part -> all.add(tree(part)));
      return all;
    } else if (value instanceof Map<?, ?> map) {
      var all = new LinkedHashMap<String, @Nullable Object>();
      map.forEach((name, part) -> all.put(name.toString(), tree(part)));
      return all;
    } else if (value instanceof Optional<?> o) {
      return tree(o.orElse(null));
    } else if (value instanceof OptionalLong o) {
      return o.isPresent() ? o.getAsLong() : null;
    } else if (value instanceof OptionalInt o) {
      return o.isPresent() ? o.getAsInt() : null;
    } else if (value instanceof Enum<?> e) {
      return e.name();
    } else if (value instanceof Instant || value instanceof Duration) {
      return value.toString();
    } else if (value instanceof byte[] bytes) {
      return Base64.getEncoder().encodeToString(bytes);
    }
    throw new IllegalArgumentException("no JSON form for " + value.getClass());
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
    } catch (IllegalArgumentException
        | ClassCastException
        | ArithmeticException
        | java.time.DateTimeException e) {
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

  /** A component of a record. What reflection says is kept: it would be asked for each job. */
  private record Component(String name, Method accessor, Type type) {
    static Component of(RecordComponent component) {
      Method accessor = component.getAccessor();
      accessor.setAccessible(true);
      return new Component(snake(component.getName()), accessor, component.getGenericType());
    }

    /** Whether nothing is null here, and not an empty list or an error. */
    boolean mayBeNull() {
      return type instanceof Class<?> plain
          && !plain.isPrimitive()
          && plain != OptionalLong.class
          && plain != OptionalInt.class;
    }
  }

  /** How a record, or a sealed type of records, is written: worked out once for each class. */
  private record Shape(
      Class<?> type,
      boolean tagged,
      SequencedMap<String, Component> components,
      @Nullable Constructor<?> constructor,
      SortedMap<String, Class<?>> choices) {

    static Shape of(Class<?> type) {
      var components = new LinkedHashMap<String, Component>();
      if (!type.isRecord()) {
        return new Shape(type, false, components, null, choices(type));
      }
      var parts = List.of(type.getRecordComponents());
      parts.stream().map(Component::of).forEach(c -> components.put(c.name(), c));
      boolean tagged = Arrays.stream(type.getInterfaces()).anyMatch(Class::isSealed);
      Class<?>[] types = parts.stream().map(RecordComponent::getType).toArray(Class<?>[]::new);
      try {
        Constructor<?> constructor = type.getDeclaredConstructor(types);
        constructor.setAccessible(true);
        return new Shape(type, tagged, components, constructor, new TreeMap<>());
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
        for (Component component : components.values()) {
          fields.put(component.name(), RecordJson.tree(component.accessor().invoke(record)));
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
      var values = new ArrayList<@Nullable Object>(components.size());
      for (Component component : components.values()) {
        Object field = fields.get(component.name());
        String path = where.equals("value") ? component.name() : where + "." + component.name();
        boolean none = field == null && component.mayBeNull();
        values.add(none ? null : value(component.type(), field, path));
      }
      try {
        return constructor.newInstance(values.toArray());
      } catch (InvocationTargetException e) {
        throw new BadJson(where + ": " + e.getCause().getMessage());
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }

    private void refuseUnknown(Map<?, ?> fields, String where) throws BadJson {
      for (Object name : fields.keySet()) {
        if (!components.containsKey(name) && !(tagged && name.equals("type"))) {
          throw new BadJson(
              where + ": there is no field " + name + "; there are " + components.keySet());
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
