"""The lists in Android/api: classes of Android and those of their members that the application uses, a line each.

    class android/app/Service public abstract extends android/content/ContextWrapper
      method onStartCommand (Landroid/content/Intent;II)I public
      field START_STICKY I public static final = 1

Names and descriptors are those of bytecode. `since 31` at the end of a line is the level of Android that brought it, for
what not every phone has that the application runs on.
"""
from signatures import ApiClass


def write(classes):
    lines = []
    for name in sorted(classes):
        each = classes[name]
        words = [{'@interface': 'annotation'}.get(each.kind, each.kind), name, *each.modifiers]
        if each.extends not in (None, 'java/lang/Object'):
            words += ['extends', each.extends]
        if each.implements:
            words += ['implements', *each.implements]
        lines.append(' '.join(words))
        for kind, member in sorted(each.members, key=lambda pair: (pair[0], pair[1]['name'], pair[1]['descriptor'])):
            words = ['  ' + kind, member['name'], member['descriptor'], *member['modifiers']]
            if member.get('throws'):
                words += ['throws', *member['throws']]
            if member.get('value') is not None:
                words += ['=', member['value']]
            lines.append(' '.join(words))
    return '\n'.join(lines) + '\n'


def read(text, into=None):
    """The classes of a list by name, added to `into`."""
    classes, current = {} if into is None else into, None
    for number, line in enumerate(text.split('\n'), 1):
        if not line.strip() or line.startswith('#'):
            continue
        line, _, value = line.partition(' = ')
        words = line.split()
        since = None
        source = value if value else line
        if (parts := source.rsplit(' since ', 1))[1:] and parts[1].isdigit():
            since = int(parts[1])
            if value:
                value = parts[0]
            else:
                words = parts[0].split()
        if words[0] in ('class', 'interface', 'enum', 'annotation'):
            if words[1] in classes:
                current = classes[words[1]]
                current.since = since or current.since
                continue
            kind = {'annotation': '@interface'}.get(words[0], words[0])
            rest, _, implemented = ' '.join(words[2:]).partition('implements ')
            rest, _, extended = rest.partition('extends ')
            current = ApiClass(words[1], kind, rest.split())
            current.extends = extended.strip() or ('java/lang/Object' if words[1] != 'java/lang/Object' else None)
            current.implements = implemented.split()
            current.since = since
            # Only run-time annotations of Android are used.
            current.retention = 'RUNTIME' if kind == '@interface' else None
            classes[words[1]] = current
        elif words[0] in ('method', 'field') and current is not None and len(words) > 2:
            rest, _, thrown = ' '.join(words[3:]).partition('throws ')
            member = dict(name=words[1], descriptor=words[2], modifiers=rest.split(), throws=thrown.split(), value=value or None, since=since)
            current.members = [
                (kind, other) for kind, other in current.members if (kind, other['name'], other['descriptor']) != (words[0], words[1], words[2])
            ] + [(words[0], member)]
        else:
            raise ValueError(f'line {number} is neither a class nor a member: {line}')
    return classes
