"""The map of streets, from an extract of OpenStreetMap to the bytes that pages get."""
import gzip
import json
import os
import signal
import subprocess
import urllib.request

from rig import PATIENCE, Server, finish

# A coast with a road, a house with a number, a lake with an island, a station: all in the Adriatic.
EXTRACT = """<?xml version="1.0" encoding="UTF-8"?>
<osm version="0.6" generator="hand">
  <bounds minlon="13.50" minlat="45.50" maxlon="13.60" maxlat="45.60"/>
  <node id="1" version="1" lon="13.55" lat="45.49"/>
  <node id="2" version="1" lon="13.55" lat="45.61"/>
  <node id="3" version="1" lon="13.51" lat="45.55"/>
  <node id="4" version="1" lon="13.54" lat="45.55"/>
  <node id="5" version="1" lon="13.5100" lat="45.5600"/>
  <node id="6" version="1" lon="13.5102" lat="45.5600"/>
  <node id="7" version="1" lon="13.5102" lat="45.5601"/>
  <node id="8" version="1" lon="13.5100" lat="45.5601"/>
  <node id="9" version="1" lon="13.5200" lat="45.5500"><tag k="railway" v="station"/><tag k="name" v="Koper λ Копер"/></node>
  <way id="20" version="1"><nd ref="1"/><nd ref="2"/><tag k="natural" v="coastline"/></way>
  <way id="21" version="1"><nd ref="3"/><nd ref="4"/><tag k="highway" v="primary"/><tag k="name" v="Obala"/></way>
  <way id="22" version="1"><nd ref="5"/><nd ref="6"/><nd ref="7"/><nd ref="8"/><nd ref="5"/>
    <tag k="building" v="house"/><tag k="addr:housenumber" v="7"/></way>
  <way id="23" version="1"><nd ref="4"/><nd ref="99"/><tag k="highway" v="secondary"/></way>
</osm>
"""
TOOLS = ".build-vendor/tools/tippecanoe/bin"


def run(program, *arguments, status=0):
    ended = finish([program, *arguments], capture_output=True, text=True)
    assert ended.returncode == status, (arguments, ended)
    return ended.stdout if status == 0 else ended.stderr


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def get(server, path, first=None, last=None):
    headers = {} if first is None else {"Range": f"bytes={first}-{last}"}
    with urllib.request.urlopen(
            urllib.request.Request(server.base + path, headers=headers), timeout=PATIENCE) as response:
        return response.read()


class Archive:
    """A reader of PMTiles, version 3, over ranges: enough to find a tile of a small map."""

    def __init__(self, server, path):
        self.read = lambda first, count: get(server, path, first, first + count - 1)
        header = self.read(0, 127)
        assert header[:8] == b"PMTiles\x03", header[:8]
        number = lambda at: int.from_bytes(header[at:at + 8], "little")
        self.data = number(56)
        self.zooms = header[100], header[101]
        self.entries = self._directory(gzip.decompress(self.read(number(8), number(16))))

    @staticmethod
    def _directory(content):
        at = 0

        def varint():
            nonlocal at
            value = shift = 0
            while True:
                byte = content[at]
                at += 1
                value |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    return value

        count = varint()
        ids, last = [], 0
        for _ in range(count):
            last += varint()
            ids.append(last)
        runs = [varint() for _ in ids]
        lengths = [varint() for _ in ids]
        offsets = []
        for index in range(count):
            value = varint()
            offsets.append(offsets[-1] + lengths[index - 1] if value == 0 else value - 1)
        return list(zip(ids, runs, offsets, lengths))

    def tiles(self):
        """All of them, unpacked."""
        return [gzip.decompress(self.read(self.data + offset, length)) for _, _, offset, length in self.entries]


def an_extract_becomes_streets_that_are_served(program, folder):
    data = os.path.join(folder, "data")
    extract = write(folder, "Koper-latest.osm", EXTRACT)
    with Server(program, folder) as server:
        assert json.loads(get(server, "/streets/map.json")) == {"regions": [], "public_maps": True}
        told = run(program, "map", "import", extract, "--data", data, "--tools", TOOLS)
        assert told.startswith("1 region in "), told
        index = json.loads(get(server, "/streets/map.json"))
        assert [(one["name"], one["bounds"]) for one in index["regions"]] == [("koper", [13.5, 45.5, 13.6, 45.6])]
        archive = Archive(server, index["tiles"])
        assert archive.zooms == (4, 14), archive.zooms
        content = b"".join(archive.tiles())
        for word in [b"sea", b"land", b"road_name", b"Obala", b"building", b"house", "Koper λ Копер".encode()]:
            assert word in content, word

        # The same again changes nothing; another region comes beside it, a renewed one in its place.
        assert "already been read" in subprocess.run(
            [program, "map", "import", extract, "--data", data, "--tools", TOOLS], capture_output=True, text=True).stderr
        assert json.loads(get(server, "/streets/map.json")) == index
        other = write(folder, "izola.osm", EXTRACT.replace("Obala", "Izola Road").replace('lon="13.', 'lon="14.'))
        run(program, "map", "import", other, "--data", data, "--tools", TOOLS)
        write(folder, "Koper-latest.osm", EXTRACT.replace("Obala", "New Road"))
        run(program, "map", "import", extract, "--data", data, "--tools", TOOLS)
        renewed = json.loads(get(server, "/streets/map.json"))
        assert [one["name"] for one in renewed["regions"]] == ["izola", "koper"], renewed
        content = b"".join(Archive(server, renewed["tiles"]).tiles())
        assert b"New Road" in content and b"Izola Road" in content and b"Obala" not in content
        run(program, "map", "remove", "koper", "--data", data, "--tools", TOOLS)
        listed = run(program, "map", "list", "--data", data)
        assert listed.startswith("izola  14.500"), listed
        left = [name for name in os.listdir(os.path.join(data, "streets")) if name.endswith(".pmtiles")]
        assert len(left) == 1, left


def what_is_no_extract_leaves_the_map_as_it_is(program, folder):
    data = os.path.join(folder, "data")
    arguments = ["--data", data, "--tools", TOOLS]
    extract = write(folder, "koper.osm", EXTRACT)
    run(program, "map", "import", extract, *arguments)
    before = run(program, "map", "list", "--json", "--data", data)
    for name, text in [("cut.osm", EXTRACT[:900]), ("empty.osm.pbf", ""), ("noise.osm.pbf", "noise" * 99),
                       ("nothing.osm", '<osm version="0.6"></osm>')]:
        said = run(program, "map", "import", write(folder, name, text), *arguments, status=3)
        assert said.startswith("error: "), (name, said)
    assert "does not exist" in run(program, "map", "import", os.path.join(folder, "no.osm"), *arguments, status=3)
    assert "letters" in run(program, "map", "import", write(folder, "Ä b.osm", EXTRACT), *arguments, status=3)
    assert "regions: koper" in run(program, "map", "remove", "piran", *arguments, status=3)
    nowhere = run(program, "map", "import", extract, "--data", data, "--tools", folder, status=3) \
        if not any(os.access(os.path.join(path, "tippecanoe"), os.X_OK) for path in os.environ["PATH"].split(":")) else ""
    assert nowhere == "" or "tippecanoe not found" in nowhere, nowhere
    assert run(program, "map", "list", "--json", "--data", data) == before
    assert os.listdir(os.path.join(data, "streets", "regions")) != []

    # One bad file beside a good one: the good one is there.
    other = write(folder, "izola.osm", EXTRACT.replace('lon="13.', 'lon="14.'))
    said = run(program, "map", "import", other, os.path.join(folder, "cut.osm"), *arguments, status=1)
    assert "cut.osm" in said or "osmium failed" in said, said
    assert "izola" in run(program, "map", "list", "--data", data)


def an_import_that_was_killed_is_done_again(program, folder):
    data = os.path.join(folder, "data")
    houses = "".join(
        f'<node id="{number}" version="1" lon="{13.5 + number % 300 / 3000}" lat="{45.5 + number // 300 / 3000}">'
        f'<tag k="addr:housenumber" v="{number}"/></node>\n' for number in range(100, 60_000))
    extract = write(folder, "koper.osm", f'<osm version="0.6">{houses}</osm>')
    command = [program, "map", "import", extract, "--data", data, "--tools", TOOLS]
    killed = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    part = os.path.join(data, "streets", "regions", "koper.geojsonl.part")
    while not (os.path.exists(part) and os.path.getsize(part)) and killed.poll() is None:
        pass
    killed.send_signal(signal.SIGKILL)
    killed.wait(PATIENCE)
    if killed.returncode == -signal.SIGKILL:
        assert run(program, "map", "list", "--data", data, status=1).startswith("no map")
    ended = finish(command, capture_output=True, text=True)
    assert ended.returncode == 0, ended
    left = os.listdir(os.path.join(data, "streets", "regions"))
    assert sorted(left) == ["koper.geojsonl", "koper.json"], left


STORIES = [
    an_extract_becomes_streets_that_are_served,
    what_is_no_extract_leaves_the_map_as_it_is,
    an_import_that_was_killed_is_done_again,
]
