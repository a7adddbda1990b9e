"""The classes of an Android signature file (api/current.txt, format 2.0), with descriptors as the Java machine names them."""
import re

PRIMITIVE = dict(void='V', boolean='Z', byte='B', char='C', short='S', int='I', long='J', float='F', double='D')
MODIFIERS = ['public', 'protected', 'private', 'static', 'final', 'abstract', 'synchronized', 'native', 'transient', 'volatile', 'default']
ANNOTATION = re.compile(r'@[\w.]+(\((?:[^()]|\([^()]*\))*\))? ')


class ApiClass:
    """A class or interface: `name` as in bytecode, `members` as pairs of kind and a dictionary."""

    def __init__(self, name, kind, modifiers):
        self.name, self.kind, self.modifiers = name, kind, modifiers
        self.extends, self.implements, self.members = None, [], []
        self.retention, self.since = None, None


def read(text):
    """All classes by their names in bytecode."""
    found, package, current = {}, None, None
    for line in text.split('\n'):
        if match := re.match(r'package (?:@\S+ )*([\w.]+) \{', line):
            package = match[1]
        elif match := re.match(r'  (?! )(.*?)(?<![\w@])(class|interface|enum|@interface) (.*) \{$', line):
            dotted = re.match(r'[\w.]+', match[3])[0]
            current = (package + '.' + dotted, match[1], match[2], match[3][len(dotted):], [])
            found[current[0]] = current
        elif line.startswith('    ') and current is not None:
            current[4].append(line.strip().rstrip(';'))
    names = {dotted: binary_of(dotted) for dotted in found}
    classes = [make(names, *parts) for parts in found.values()]
    return {each.name: each for each in classes}


def binary_of(dotted):
    """`android.os.Build.VERSION` as `android/os/Build$VERSION`: packages begin with small letters here."""
    if '.' not in dotted:
        dotted = 'java.lang.' + dotted
    parts = dotted.split('.')
    first = next((i for i, part in enumerate(parts) if part[:1].isupper()), len(parts) - 1)
    return '/'.join(parts[: first + 1]) + ''.join('$' + part for part in parts[first + 1 :])


def outside_brackets(text, separators):
    """Splits where a separator stands outside of <> and ()."""
    depth, parts = 0, ['']
    for sign in text:
        depth += (sign in '<(') - (sign in '>)')
        if depth == 0 and sign in separators:
            parts.append('')
        else:
            parts[-1] += sign
    return [part.strip() for part in parts if part.strip()]


def without_generics(text):
    depth, kept = 0, ''
    for sign in text:
        depth -= sign == '>'
        kept += sign if depth == 0 and sign not in '<>' else ''
        depth += sign == '<'
    return kept


def variables(text, scope):
    """Type variables, each with what stands for it in bytecode: its first bound."""
    scope = dict(scope)
    for part in outside_brackets(text, ','):
        name, _, bound = part.partition(' extends ')
        scope[name.strip()] = re.split(r'[&]', bound)[0].strip() if bound else 'java.lang.Object'
    return scope


def descriptor(text, scope):
    text = ANNOTATION.sub('', text).strip()
    dimensions = 0
    if text.endswith('...'):
        text, dimensions = text[:-3], 1
    text = without_generics(text)
    while text.endswith('[]'):
        text, dimensions = text[:-2], dimensions + 1
    for _ in range(4):
        text = without_generics(scope.get(text, text))
    return '[' * dimensions + (PRIMITIVE.get(text) or 'L' + binary_of(text) + ';')


def make(names, dotted, modifiers, kind, head, members):
    made = ApiClass(names[dotted], kind, [word for word in modifiers.split() if word in MODIFIERS])
    if kind == '@interface':
        made.retention = 'RUNTIME' if 'RetentionPolicy.RUNTIME' in modifiers else 'CLASS'
    scope = {}
    if head.startswith('<'):
        end = next(i for i in range(len(head)) if head[: i + 1].count('<') == head[: i + 1].count('>'))
        scope, head = variables(head[1:end], scope), head[end + 1 :]
    supers = re.search(r' extends (.*?)(?= implements |$)', head)
    interfaces = re.search(r' implements (.*)$', head)
    supers = [binary_of(name) for name in without_generics(supers[1]).split()] if supers else []
    made.implements = [binary_of(name) for name in without_generics(interfaces[1]).split()] if interfaces else []
    if kind in ('interface', '@interface'):
        made.implements, supers = supers + made.implements, []
    made.extends = 'java/lang/Enum' if kind == 'enum' else (supers or ['java/lang/Object'])[0]
    if made.name == 'java/lang/Object':
        made.extends = None
    for member in members:
        what, _, rest = member.partition(' ')
        rest = ANNOTATION.sub('', rest)
        if what in ('field', 'enum_constant'):
            made.members.append(('field', field(rest, scope)))
        elif what in ('method', 'ctor'):
            made.members.append(('method', method(what, rest, scope, made)))
    return made


def field(text, scope):
    declared, _, value = text.partition(' = ')
    words = declared.split(' ')
    kind = descriptor(' '.join(word for word in words[:-1] if word not in MODIFIERS), scope)
    value = re.sub(r'\s*//.*$', '', value).strip().rstrip(';') if value else None
    return dict(name=words[-1], descriptor=kind, modifiers=[w for w in words if w in MODIFIERS], value=value)


def method(what, text, scope, owner):
    opening, closing = text.index('('), text.rindex(')')
    words = outside_brackets(text[:opening], ' ')
    modifiers = [word for word in words if word in MODIFIERS]
    words = [word for word in words if word not in MODIFIERS]
    if words and words[0].startswith('<'):
        scope, words = variables(words[0][1:-1], scope), words[1:]
    parameters = [re.sub(r' \w+$', '', ANNOTATION.sub('', part)) for part in outside_brackets(text[opening + 1 : closing], ',')]
    if parameters and parameters[-1].endswith('...'):
        modifiers.append('varargs')
    if owner.kind in ('interface', '@interface') and 'static' not in modifiers and 'default' not in modifiers:
        modifiers = [word for word in modifiers if word != 'abstract'] + ['abstract']
    answer = 'V' if what == 'ctor' else descriptor(words[-2], scope)
    thrown = re.search(r'throws (.*)$', text[closing:])
    return dict(
        name='<init>' if what == 'ctor' else words[-1],
        descriptor='(' + ''.join(descriptor(part, scope) for part in parameters) + ')' + answer,
        modifiers=modifiers,
        throws=[binary_of(name.strip()) for name in thrown[1].split(',')] if thrown else [],
    )
