"""Class files of the classes in a list, for javac and D8 to compile against; with bodies that do nothing, for tests to run on."""
import struct

FLAGS = dict(public=1, private=2, protected=4, static=8, final=16, volatile=64, transient=128, varargs=128, abstract=1024)
WIDE = 'JD'
# In front of a class file; 52 is Java 8's.
MAGIC, VERSION = 0xCAFEBABE, 52


class Pool:
    """The constants of a class file."""

    def __init__(self):
        self.items, self.known, self.count = [], {}, 1

    def add(self, key, data, slots=1):
        if key not in self.known:
            self.known[key] = self.count
            self.items.append(data)
            self.count += slots
        return self.known[key]

    def text(self, text):
        data = text.encode()
        return self.add(('text', text), b'\1' + struct.pack('>H', len(data)) + data)

    def type(self, name):
        return self.add(('type', name), b'\7' + struct.pack('>H', self.text(name)))

    def method(self, owner, name, descriptor):
        pair = struct.pack('>HH', self.text(name), self.text(descriptor))
        named = self.add(('named', name, descriptor), b'\x0c' + pair)
        return self.add(('method', owner, name, descriptor), b'\x0a' + struct.pack('>HH', self.type(owner), named))

    def value(self, descriptor, value):
        if descriptor == 'Ljava/lang/String;':
            return self.add(('string', value), b'\x08' + struct.pack('>H', self.text(value)))
        if descriptor == 'J':
            return self.add(('J', value), b'\5' + struct.pack('>q', value), 2)
        if descriptor == 'D':
            return self.add(('D', value), b'\6' + struct.pack('>d', value), 2)
        if descriptor == 'F':
            return self.add(('F', value), b'\4' + struct.pack('>f', value))
        return self.add(('I', value), b'\3' + struct.pack('>I', value & 0xFFFFFFFF))


def flags(modifiers):
    return sum(FLAGS[word] for word in set(modifiers) if word in FLAGS)


def constant(descriptor, written):
    """A constant as the signature file writes it; None where it is none that a class file can hold."""
    if descriptor == 'Ljava/lang/String;':
        return written[1:-1].encode('latin-1', 'backslashreplace').decode('unicode_escape')
    if descriptor == 'Z':
        return int(written == 'true')
    try:
        return float(written.rstrip('fF')) if descriptor in 'FD' else int(written.rstrip('L'), 0)
    except ValueError:
        return None


def attribute(pool, name, data):
    return struct.pack('>HI', pool.text(name), len(data)) + data


def code(pool, each, member):
    """A body that answers 0, false or null; a constructor calls the one without parameters of the class above."""
    result = member['descriptor'][member['descriptor'].index(')') + 1 :]
    body = {'V': b'\xb1', 'J': b'\x09\xad', 'F': b'\x0b\xae', 'D': b'\x0e\xaf'}.get(result[0], b'\x01\xb0' if result[0] in 'L[' else b'\x03\xac')
    if member['name'] == '<init>':
        body = b'\x2a\xb7' + struct.pack('>H', pool.method(each.extends, '<init>', '()V')) + b'\xb1'
    locals_ = 1 + sum(2 if kind in WIDE else 1 for kind in parameters(member['descriptor']))
    return attribute(pool, 'Code', struct.pack('>HHI', 2, locals_, len(body)) + body + struct.pack('>HH', 0, 0))


def parameters(descriptor):
    """The first letter of each parameter's kind; an array's is [."""
    kinds, at = [], 1
    while descriptor[at] != ')':
        kinds.append(descriptor[at])
        while descriptor[at] == '[':
            at += 1
        at = descriptor.index(';', at) + 1 if descriptor[at] == 'L' else at + 1
    return kinds


def annotation(pool, kind, name, constant_name):
    """`@Retention(RetentionPolicy.RUNTIME)`."""
    value = struct.pack('>HcHH', pool.text('value'), b'e', pool.text(name), pool.text(constant_name))
    return struct.pack('>HHH', 1, pool.text(kind), 1) + value


def class_file(each, classes, bodies):
    pool = Pool()
    is_interface = each.kind in ('interface', '@interface')
    fields, methods, has_plain_constructor = [], [], is_interface
    for kind, member in each.members:
        attributes = []
        if kind == 'field':
            value = None if member.get('value') is None else constant(member['descriptor'], member['value'])
            if value is not None:
                attributes.append(attribute(pool, 'ConstantValue', struct.pack('>H', pool.value(member['descriptor'], value))))
            access = flags(member['modifiers']) | (0x4000 if each.kind == 'enum' and member['descriptor'] == f'L{each.name};' else 0)
        else:
            access = flags(member['modifiers'])
            if member.get('throws'):
                data = struct.pack('>H', len(member['throws'])) + b''.join(struct.pack('>H', pool.type(name)) for name in member['throws'])
                attributes.append(attribute(pool, 'Exceptions', data))
            if bodies and 'abstract' not in member['modifiers']:
                attributes.append(code(pool, each, member))
            has_plain_constructor |= (member['name'], member['descriptor']) == ('<init>', '()V')
        made = struct.pack('>HHHH', access, pool.text(member['name']), pool.text(member['descriptor']), len(attributes))
        (fields if kind == 'field' else methods).append(made + b''.join(attributes))
    if bodies and not has_plain_constructor:
        body = code(pool, each, dict(name='<init>', descriptor='()V'))
        methods.append(struct.pack('>HHHH', 0x1001, pool.text('<init>'), pool.text('()V'), 1) + body)

    attributes = []
    if inner := inner_classes(each, classes):
        data = struct.pack('>H', len(inner))
        for name in inner:
            outer, _, simple = name.rpartition('$')
            access = flags(classes[name].modifiers) | (0x600 if 'interface' in classes[name].kind else 0)
            data += struct.pack('>HHHH', pool.type(name), pool.type(outer), pool.text(simple), access)
        attributes.append(attribute(pool, 'InnerClasses', data))
    if each.retention:
        data = annotation(pool, 'Ljava/lang/annotation/Retention;', 'Ljava/lang/annotation/RetentionPolicy;', each.retention)
        attributes.append(attribute(pool, 'RuntimeVisibleAnnotations', data))

    access = flags(word for word in each.modifiers if word in ('public', 'final', 'abstract'))
    access |= 0x600 if is_interface else 0x20
    access |= {'@interface': 0x2000, 'enum': 0x4000}.get(each.kind, 0)
    interfaces = each.implements + (['java/lang/annotation/Annotation'] if each.kind == '@interface' else [])
    body = struct.pack('>HHHH', access, pool.type(each.name), pool.type(each.extends or 'java/lang/Object'), len(interfaces))
    body += b''.join(struct.pack('>H', pool.type(name)) for name in interfaces)
    for made in (fields, methods, attributes):
        body += struct.pack('>H', len(made)) + b''.join(made)
    return struct.pack('>IHHH', MAGIC, 0, VERSION, pool.count) + b''.join(pool.items) + body


def inner_classes(each, classes):
    """The classes in a class and those that it is in, outer ones first."""
    return sorted(name for name in classes if '$' in name and ((each.name + '$').startswith(name + '$') or name.startswith(each.name + '$')))


def own(classes):
    """Without Java's own, which the compiler has itself."""
    return {name: each for name, each in classes.items() if not name.startswith(('java/', 'javax/', 'org/w3c/', 'org/xml/'))}
