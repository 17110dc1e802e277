# SPDX-License-Identifier: Apache-2.0
"""Reads batches that level STRICT judged, with the reader of kafka-python.

    other_reader.py FILE

Each batch is size, bytes, number of records (-1: refused) and, for each record, what is in RECORD.
Writes a line for each accepted batch that is not read to its end or whose records differ, and at
last how many there were. Of the refused ones it only counts which this reader refuses as well.
"""

import base64
import resource
import struct
import sys
import zlib

from kafka.record.memory_records import MemoryRecords

COUNT = struct.Struct(">i")
# offset, timestamp, size and CRC-32 of the key and of the value (size -1: none), number of headers
RECORD = struct.Struct(">qqiIiIi")
REFUSED = -1
ATTRIBUTES_AT = 21
CONTROL = 0x20
MOST_MEMORY = 2 << 30


class Unread(Exception):
    """The bytes are not one whole batch with a right checksum."""


def part(content):
    return (-1, 0) if content is None else (len(content), zlib.crc32(content))


def read(data):
    """Returns the records of the only batch, as a consumer of kafka-python sees them."""
    records = MemoryRecords(data)
    if records.valid_bytes() != len(data):
        raise Unread("bytes are left")
    batches = list(records)
    if len(batches) != 1:
        raise Unread("%d batches" % len(batches))
    if not batches[0].validate_crc():
        raise Unread("checksum")
    return [
        (r.offset, r.timestamp, *part(r.key), *part(r.value), len(r.headers)) for r in batches[0]
    ]


def is_long_control_key(data):
    """The only known difference: kafka-python takes no control key of more than 4 bytes.

    The protocol lets later versions of such keys have more, and Kafka's consumer reads them.
    """
    plain = bytearray(data)
    plain[ATTRIBUTES_AT + 1] &= ~CONTROL
    batch = next(MemoryRecords(plain))
    return data[ATTRIBUTES_AT + 1] & CONTROL and all(len(r.key or b"") > 4 for r in batch)


def judged(file):
    while size := file.read(COUNT.size):
        data = file.read(COUNT.unpack(size)[0])
        count = COUNT.unpack(file.read(COUNT.size))[0]
        expected = [RECORD.unpack(file.read(RECORD.size)) for _ in range(max(0, count))]
        yield data, None if count == REFUSED else expected


def main(path):
    # A refused batch may declare anything.
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    accepted = unread = different = control = refused = refused_by_both = 0
    with open(path, "rb") as file:
        for data, expected in judged(file):
            try:
                found, why = read(data), None
            # Codecs raise what they like.
            except Exception as error:
                found, why = None, error
            if expected is None:
                refused += 1
                refused_by_both += found is None
                continue
            accepted += 1
            if found is None and is_long_control_key(data):
                control += 1
            elif found is None:
                unread += 1
                print("unread: %r, %s" % (why, base64.b64encode(data).decode()))
            elif found != expected:
                different += 1
                print("different: %s, not %s, %s" % (found, expected, base64.b64encode(data).decode()))
    print(
        "accepted %d unread %d different %d control %d refused %d refused-by-both %d"
        % (accepted, unread, different, control, refused, refused_by_both)
    )


main(sys.argv[1])
