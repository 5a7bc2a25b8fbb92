"""Makes a warm worker of a function: gmap --worker starts it once for each slot.

    import gflow_worker

    model = load()                      # once, not for each item

    def energy(path):
        return {"energy": model(path)}

    gflow_worker.serve(energy)

The function gets the item: a text; a list where an item has several values; a dict where it has
columns. What it returns is the value in results.jsonl; an exception is a failure of that item, with
its traceback. What it prints goes to the worker's log. See docs/worker-protocol.md.
"""

import json
import os
import sys
import traceback

__all__ = ["serve"]


def _plain(value):
    """What json does not know: numpy's and torch's scalars and arrays, sets, bytes, paths."""
    for name in ("item", "tolist"):
        method = getattr(value, name, None)
        if callable(method):
            try:
                return method()
            except (TypeError, ValueError, RuntimeError):
                pass  # an array has no item()
    if isinstance(value, (set, frozenset, tuple)):
        return list(value)
    if isinstance(value, (bytes, bytearray)):
        return value.decode("utf-8", "surrogateescape")
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError("a value of type %s is no JSON" % type(value).__name__)


def _numbers(value):
    """JSON has no word for nan and inf: they become texts, so that a check can find them."""
    if isinstance(value, float) and value - value != 0:
        return str(value)
    if isinstance(value, dict):
        return {key: _numbers(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_numbers(part) for part in value]
    return value


def _text(answer):
    try:
        return json.dumps(answer, default=_plain, allow_nan=False)
    except ValueError:
        return json.dumps(_numbers(json.loads(json.dumps(answer, default=_plain))))


def _answer(index, function, item):
    try:
        return _text({"index": index, "value": function(item)})
    except Exception as error:  # an item that fails must not end the worker
        text = "%s: %s" % (type(error).__name__, error)
        return json.dumps({"index": index, "error": text, "traceback": traceback.format_exc()})


def serve(function):
    """Answers one line for each line, until there are no more."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)  # whatever else is printed, also by C libraries, goes to the log
    sys.stdout.flush()
    answers.write('{"ready":true}\n')
    answers.flush()
    items = os.fdopen(os.dup(0), "r", encoding="utf-8", newline="\n")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)  # a function that reads stdin must not take the next item
    for line in items:
        work = json.loads(line)
        answers.write(_answer(work["index"], function, work["item"]) + "\n")
        answers.flush()
        sys.stdout.flush()
