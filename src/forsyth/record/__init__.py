"""Records of whole games as text (PGN), for any game: tags, moves, comments and variations.

- `read_records` reads every record of a source; `read_record` and `parse_record` read a text with one record.
- `write_record` writes a record as text.
- `Record.of` makes a record from a match, and `record.tree()` makes a tree of moves that can be edited.

This package contains no rules of a particular game: the game object parses moves, names the players and
numbers the moves.
"""

from forsyth.record.codes import RECORD_CODES
from forsyth.record.comment_values import Arrow, Circle, Evaluation
from forsyth.record.model import Line, Node, Record, RecordReading
from forsyth.record.move_node import MoveNode
from forsyth.record.move_tree import MoveTree
from forsyth.record.numbering import MovePlace
from forsyth.record.read import parse_record, read_record, read_records
from forsyth.record.time_control import Period, TimeControl, read_time_control
from forsyth.record.write import write_line, write_record

__all__ = [
    "RECORD_CODES",
    "Arrow",
    "Circle",
    "Evaluation",
    "Line",
    "MoveNode",
    "MovePlace",
    "MoveTree",
    "Node",
    "Period",
    "Record",
    "RecordReading",
    "TimeControl",
    "parse_record",
    "read_record",
    "read_records",
    "read_time_control",
    "write_line",
    "write_record",
]
