"""JSON and CSV with the numbers of the lines on which things stand, for messages."""

import csv
import io
import json
import re
from collections.abc import Iterator
from typing import Any


class JsonObject(list[tuple[str, Any]]):
    """Keys and values of a JSON object in the order of the file, so that a key given twice is seen.

    Attributes
    ----------
    text : str
        The whole file.
    start, end : int
        Where the object begins and ends in it.
    """

    text = ""
    start = end = 0

    def line_of(self, key: str) -> int:
        """Line of the last mention of a key."""
        found = self.start
        for mention in re.finditer(re.escape(json.dumps(key)) + r"\s*:", self.text[self.start : self.end]):
            found = self.start + mention.start()
        return self.text.count("\n", 0, found) + 1

    @property
    def line(self) -> int:
        """Line on which the object begins."""
        return self.text.count("\n", 0, self.start) + 1


class _Decoder(json.JSONDecoder):
    """The plain Python decoder, which can be told to note where objects stand."""

    def __init__(self) -> None:
        super().__init__(object_pairs_hook=JsonObject)
        self.parse_object = self._parse_object
        self.scan_once = json.scanner.py_make_scanner(self)  # type: ignore[attr-defined]

    def _parse_object(self, text_and_place: tuple[str, int], *arguments: Any) -> tuple[JsonObject, int]:
        found: JsonObject
        found, end = json.decoder.JSONObject(text_and_place, *arguments)  # type: ignore[attr-defined]
        found.text, found.start, found.end = text_and_place[0], text_and_place[1] - 1, end
        return found, end


def read_json(text: str) -> Any:
    """Read JSON; objects become `JsonObject`. Raises ValueError or RecursionError."""
    return _Decoder().decode(text)


def read_csv(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, cells) of the rows that are not empty. Raises csv.Error."""
    reader = csv.reader(io.StringIO(text, newline=""))
    for row in reader:
        if row:
            yield reader.line_num, row
