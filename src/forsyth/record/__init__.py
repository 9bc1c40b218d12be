"""Records of whole games as text: tags, moves, comments, variations (PGN), for any game.

`read_records` goes through a source of many, `read_record` and `parse_record` read a text of one,
`write_record` writes one; `Record.of` makes one of a match. `record.tree()` is a tree of moves to edit. No
game is known by name: which texts are moves, who plays and how moves are numbered is the game's to say.
"""

from forsyth.record.codes import RECORD_CODES
from forsyth.record.comment_values import Arrow, Circle, Evaluation
from forsyth.record.model import Line, Node, Record, RecordReading
from forsyth.record.move_node import MoveNode
from forsyth.record.move_tree import MoveTree
from forsyth.record.numbering import MovePlace
from forsyth.record.read import parse_record, read_record, read_records
from forsyth.record.time_control import Period, TimeControl, read_time_control
from forsyth.record.write import write_record

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
    "write_record",
]
