"""Messages of the contract from JSON and as JSON; the rules are those of annotations.proto.

    reader(descriptor)          returns a function that fills a message from parsed JSON
    query_reader(fields)        returns a function that fills a message from a query string
    writer(descriptor)          returns a function that makes plain data of a message, ready for `dumps`

Each function is made once for each kind of message and cached, so that answering a call needs no look-up in
descriptors. What cannot be read raises Fault, which says where.
"""

from .field_names import json_name, word_of, words_of
from .json_text import Fault, TooMany, dumps, loads
from .message_reader import Reader, is_required, members_reader, reader
from .message_writer import Writer, writer
from .query_parameters import query_reader

__all__ = [
    "Fault",
    "Reader",
    "TooMany",
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
