"""Reads the classes, methods and fields that a class file of the Java machine refers to."""
import re
import struct

TYPE_IN_TEXT = re.compile(r'L([\w/$]+);')


class ClassFile:
    """`name`, `extends`, `implements`, `methods` (name and descriptor of each), `calls` and `fields` (owner, name,
    descriptor of each that is used), `types` (all class names that occur), `lambdas` (the interfaces that lambdas implement)."""

    def __init__(self, data):
        self.data, self.at = data, 8
        self.pool = self.constants()
        _, this, above, count = self.take('>HHHH')
        self.name = self.type(this)
        self.extends = self.type(above) if above else None
        self.implements = [self.type(self.take('>H')[0]) for _ in range(count)]
        self.members()
        self.methods = self.members()
        self.types, self.calls, self.fields, self.lambdas = set(), set(), set(), set()
        for entry in self.pool.values():
            if entry[0] == 7:
                name = self.pool[entry[1]][1]
                self.types.update(TYPE_IN_TEXT.findall(name) if name.startswith('[') else [name])
            elif entry[0] == 1 and re.fullmatch(r'(\((\[*(L[\w/$]+;|[A-Z]))*\))?\[*(L[\w/$]+;|[A-Z])', entry[1]):
                self.types.update(TYPE_IN_TEXT.findall(entry[1]))
            elif entry[0] == 18:
                descriptor = self.pool[self.pool[entry[2]][2]][1]
                self.lambdas.update(TYPE_IN_TEXT.findall(descriptor[descriptor.index(')') :]))
            elif entry[0] in (9, 10, 11):
                _, name, descriptor = self.pool[entry[2]]
                reference = (self.type(entry[1]), self.pool[name][1], self.pool[descriptor][1])
                (self.fields if entry[0] == 9 else self.calls).add(reference)

    def take(self, form):
        values = struct.unpack_from(form, self.data, self.at)
        self.at += struct.calcsize(form)
        return values

    def type(self, index):
        return self.pool[self.pool[index][1]][1]

    def constants(self):
        pool, index, (count,) = {}, 1, self.take('>H')
        while index < count:
            (tag,) = self.take('>B')
            if tag == 1:
                (length,) = self.take('>H')
                pool[index] = (tag, self.data[self.at : self.at + length].decode('utf-8', 'replace'))
                self.at += length
            elif tag in (7, 8, 16, 19, 20):
                pool[index] = (tag, *self.take('>H'))
            elif tag == 15:
                pool[index] = (tag, *self.take('>BH'))
            elif tag in (5, 6):
                pool[index] = (tag, *self.take('>q'))
            elif tag in (3, 4):
                pool[index] = (tag, *self.take('>i'))
            else:
                pool[index] = (tag, *self.take('>HH'))
            index += 2 if tag in (5, 6) else 1
        return pool

    def members(self):
        found = []
        for _ in range(self.take('>H')[0]):
            _, name, descriptor, attributes = self.take('>HHHH')
            found.append((self.pool[name][1], self.pool[descriptor][1]))
            for _ in range(attributes):
                _, length = self.take('>HI')
                self.at += length
        return found
