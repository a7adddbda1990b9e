"""The container's image without an engine for containers: the steps of its Dockerfile, carried out inside a root."""
import json
import re
import subprocess

DOCKERFILE = "deploy/container/Dockerfile"


def stages():
    """Of each stage what it begins from, and its steps: (instruction, the rest of the line)."""
    with open(DOCKERFILE) as file:
        text = re.sub(r"^#.*\n", "", file.read(), flags=re.MULTILINE).replace("\\\n", " ")
    found = []
    for line in filter(None, map(str.strip, text.splitlines())):
        instruction, rest = line.split(maxsplit=1)
        if instruction == "FROM":
            found.append((rest, []))
        else:
            found[-1][1].append((instruction, rest))
    return found


def build_last(root, tar):
    """Carries out the last stage, which takes from the one before what the tar has inside.

    Answers with the command that the image is started with, its user and its folder.
    """
    (_, before), (_, steps) = stages()
    # The stage before makes the tar and unpacks it; that is what is copied.
    assert any(instruction == "RUN" and "make package" in rest and "-C /installed --strip-components=1" in rest
               for instruction, rest in before), before
    values = {}
    for instruction, rest in steps:
        if instruction == "RUN":
            root.run("sh", "-c", rest)
        elif instruction == "COPY":
            assert rest.split()[:2] == ["--from=build", "/installed"], rest
            subprocess.run(
                ["tar", "-xzf", tar, "-C", root.path(rest.split()[2]), "--strip-components=1", "--no-same-owner"], check=True)
        else:
            values[instruction] = rest
    assert set(values) == {"USER", "WORKDIR", "VOLUME", "EXPOSE", "ENTRYPOINT", "CMD"}, values
    return json.loads(values["ENTRYPOINT"]) + json.loads(values["CMD"]), values["USER"], values["WORKDIR"]
