"""A shared library as the dynamic linker sees it. Source: System V Application Binary Interface, chapters 4 and 5."""
import struct

LOAD, DYNAMIC, STACK = 1, 2, 0x6474E551
NEEDED, STRTAB, SYMTAB, SONAME, TEXTREL, HASH, FLAGS = 1, 5, 6, 14, 22, 4, 30
WRITABLE, EXECUTABLE = 2, 1


class Library:
    """`needs`, `name`, `exports`, `imports` (symbols), `alignment` (of the least aligned segment), `faults`."""

    def __init__(self, data):
        assert data[:4] == b'\x7fELF', 'no library'
        is64 = data[4] == 2
        self.machine = struct.unpack_from('<H', data, 18)[0]
        start, size, count = struct.unpack_from('<Q', data, 32) + struct.unpack_from('<HH', data, 54) if is64 else struct.unpack_from('<I', data, 28) + struct.unpack_from('<HH', data, 42)
        segments = []
        for index in range(count):
            if is64:
                kind, rights, offset, address, _, filled, _, alignment = struct.unpack_from('<IIQQQQQQ', data, start + size * index)
            else:
                kind, offset, address, _, filled, _, rights, alignment = struct.unpack_from('<8I', data, start + size * index)
            segments.append((kind, rights, offset, address, filled, alignment))
        loaded = [each for each in segments if each[0] == LOAD]
        self.alignment = min(each[5] for each in loaded)
        self.faults = ['a segment is writable and executable'] if any(each[1] & 3 == 3 for each in loaded) else []
        stacks = [each for each in segments if each[0] == STACK]
        if not stacks or stacks[0][1] & EXECUTABLE:
            self.faults.append('the stack is executable')

        def offset_of(address):
            return next(address - each[3] + each[2] for each in loaded if each[3] <= address < each[3] + each[4])

        (dynamic,) = [each for each in segments if each[0] == DYNAMIC]
        form, step = ('<qQ', 16) if is64 else ('<iI', 8)
        entries = [struct.unpack_from(form, data, dynamic[2] + at) for at in range(0, dynamic[4], step)]
        values = dict(entries)
        texts = offset_of(values[STRTAB])

        def text(at):
            return data[texts + at : data.index(b'\0', texts + at)].decode()

        self.needs = [text(value) for tag, value in entries if tag == NEEDED]
        self.name = text(values[SONAME])
        if TEXTREL in values or values.get(FLAGS, 0) & 4:
            self.faults.append('code is changed when it is loaded (TEXTREL)')
        self.exports, self.imports = set(), set()
        _, symbols = struct.unpack_from('<II', data, offset_of(values[HASH]))
        at = offset_of(values[SYMTAB])
        for index in range(1, symbols):
            if is64:
                name, _, _, section = struct.unpack_from('<IBBH', data, at + 24 * index)
            else:
                name, _, _, _, _, section = struct.unpack_from('<IIIBBH', data, at + 16 * index)
            (self.exports if section else self.imports).add(text(name))
