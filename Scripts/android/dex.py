"""Reads the classes, methods and fields that Android's bytecode refers to.

Source: the page "Dalvik executable format" of the Android Open Source Project.
"""
import hashlib
import struct
import zlib

# Instructions by their length in units of 16 bits, as ranges of codes; the page "Dalvik bytecode format".
LENGTHS = (
    (1, '00 01 04 07 0a-12 1d 1e 21 27 28 7b-8f b0-cf'),
    (2, '02 05 08 13 15 16 19 1a 1c 1f 20 22 23 29 2d-3d 44-6d 90-af d0-e2 fe ff'),
    (3, '03 06 09 14 17 1b 24-26 2a-2c 6e-72 74-78 fc fd'),
    (4, 'fa fb'),
    (5, '18'),
)
LENGTH = {}
for _length, _ranges in LENGTHS:
    for _range in _ranges.split():
        _first, _, _last = _range.partition('-')
        for _code in range(int(_first, 16), int(_last or _first, 16) + 1):
            LENGTH[_code] = _length
INVOKES = [*range(0x6E, 0x73), *range(0x74, 0x79)]
STATIC_GETS = range(0x60, 0x67)
NOTHING = 0xFFFFFFFF


class Dex:
    """`classes` by name, `methods` and `fields`: what is called and read, as (owner, name, descriptor)."""

    def __init__(self, data):
        self.data = data
        assert data[:4] == b'dex\n', 'no DEX file'
        assert struct.unpack_from('<I', data, 8)[0] == zlib.adler32(data[12:]), 'the checksum is wrong'
        assert data[12:32] == hashlib.sha1(data[32:]).digest(), 'the signature is wrong'
        strings, types, protos, fields, methods, classes = (struct.unpack_from('<II', data, at) for at in range(56, 104, 8))
        self.strings = [self.string(self.word(strings[1] + 4 * index)) for index in range(strings[0])]
        self.types = [self.strings[self.word(types[1] + 4 * index)] for index in range(types[0])]
        self.protos = [self.proto(protos[1] + 12 * index) for index in range(protos[0])]
        self.fields = [self.member(fields[1] + 8 * index, self.types) for index in range(fields[0])]
        self.methods = [self.member(methods[1] + 8 * index, self.protos) for index in range(methods[0])]
        self.classes = {}
        for index in range(classes[0]):
            made = DexClass(self, struct.unpack_from('<8I', data, classes[1] + 32 * index))
            self.classes[made.name] = made

    def word(self, at):
        return struct.unpack_from('<I', self.data, at)[0]

    def half(self, at):
        return struct.unpack_from('<H', self.data, at)[0]

    def variable(self, at):
        """An unsigned LEB128 number, and where it ends."""
        value = shift = 0
        while True:
            byte = self.data[at]
            value, shift, at = value | (byte & 127) << shift, shift + 7, at + 1
            if byte < 128:
                return value, at

    def string(self, at):
        _, at = self.variable(at)
        return self.data[at : self.data.index(b'\0', at)].decode('utf-8', 'surrogatepass')

    def list(self, at):
        return [self.types[self.half(at + 4 + 2 * index)] for index in range(self.word(at))] if at else []

    def proto(self, at):
        _, result, parameters = struct.unpack_from('<III', self.data, at)
        return '(' + ''.join(self.list(parameters)) + ')' + self.types[result]

    def member(self, at, kinds):
        owner, kind, name = struct.unpack_from('<HHI', self.data, at)
        return plain(self.types[owner]), self.strings[name], kinds[kind]


def plain(kind):
    return kind[1:-1] if kind.startswith('L') else kind


class DexClass:
    """`name`, `extends`, `implements`, `methods`: what each defined method, by name and descriptor, calls and reads."""

    def __init__(self, dex, words):
        self.dex = dex
        this, _, above, interfaces, _, annotations, data, _ = words
        self.name = plain(dex.types[this])
        self.extends = plain(dex.types[above]) if above != NOTHING else None
        self.implements = [plain(kind) for kind in dex.list(interfaces)]
        self.methods, self.annotations = {}, {}
        if data:
            self.read_methods(data)
        if annotations:
            self.read_annotations(annotations)

    def read_methods(self, at):
        counts = []
        for _ in range(4):
            count, at = self.dex.variable(at)
            counts.append(count)
        for _ in range(2 * (counts[0] + counts[1])):
            _, at = self.dex.variable(at)
        for count in counts[2:]:
            index = 0
            for _ in range(count):
                step, at = self.dex.variable(at)
                _, at = self.dex.variable(at)
                code, at = self.dex.variable(at)
                index += step
                self.methods[self.dex.methods[index][1:]] = self.read_code(code) if code else (set(), set())

    def read_code(self, at):
        """The methods that a piece of code calls, and the static fields that it reads."""
        calls, reads, begin = set(), set(), at + 16
        units, unit = self.dex.word(at + 12), 0
        while unit < units:
            here = begin + 2 * unit
            code = self.dex.half(here)
            if code in (0x0100, 0x0200, 0x0300):
                count = self.dex.half(here + 2)
                if code == 0x0300:
                    unit += (self.dex.word(here + 4) * count + 1) // 2 + 4
                else:
                    unit += 2 * count + 4 if code == 0x0100 else 4 * count + 2
                continue
            if code & 255 in INVOKES:
                calls.add(self.dex.methods[self.dex.half(here + 2)])
            elif code & 255 in STATIC_GETS:
                reads.add(self.dex.fields[self.dex.half(here + 2)])
            unit += LENGTH[code & 255]
        return calls, reads

    def read_annotations(self, at):
        """The annotations of methods that are seen at run time."""
        _, fields, methods, _ = struct.unpack_from('<4I', self.dex.data, at)
        for index in range(methods):
            method, where = struct.unpack_from('<II', self.dex.data, at + 16 + 8 * fields + 8 * index)
            for each in range(self.dex.word(where)):
                item = self.dex.word(where + 4 + 4 * each)
                kind, _ = self.dex.variable(item + 1)
                if self.dex.data[item] == 1:
                    self.annotations.setdefault(self.dex.methods[method][1:], set()).add(plain(self.dex.types[kind]))
