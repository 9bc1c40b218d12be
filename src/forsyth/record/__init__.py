"""Records of whole games as text: tags, moves, comments, variations (PGN), for any game.

`read_records` goes through a source of many, `read_record` and `parse_record` read a text of one,
`write_record` writes one; `Record.of` makes one of a match. No game is known by name: which texts are
moves, who plays and how moves are numbered is the game's to say.
"""

from forsyth.record.codes import RECORD_CODES
from forsyth.record.model import Line, Node, Record, RecordReading
from forsyth.record.read import parse_record, read_record, read_records
from forsyth.record.write import write_record

__all__ = [
    "RECORD_CODES",
    "Line",
    "Node",
    "Record",
    "RecordReading",
    "parse_record",
    "read_record",
    "read_records",
    "write_record",
]
