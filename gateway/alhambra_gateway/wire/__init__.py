"""How a message of the contract is written in JSON, and read from it; the rules are those of annotations.proto.

    reader(descriptor)          fills a message from parsed JSON
    query_reader(fields)        fills a message from the query of an address
    writer(descriptor)          makes plain data of a message, ready for `dumps`

Each is compiled once for each kind of message and kept; nothing is looked up in descriptors while a call is answered.
What cannot be read raises Fault, which says where.
"""

from .faults import Fault
from .queries import query_reader
from .reading import Reader, is_required, members_reader, reader
from .text import dumps, loads
from .words import json_name, word_of, words_of
from .writing import Writer, writer

__all__ = [
    "Fault",
    "Reader",
    "Writer",
    "dumps",
    "is_required",
    "json_name",
    "loads",
    "members_reader",
    "query_reader",
    "reader",
    "word_of",
    "words_of",
    "writer",
]
