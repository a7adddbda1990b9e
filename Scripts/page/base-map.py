#!/usr/bin/env python3
"""Makes GeoJSON for tippecanoe of Natural Earth's countries and GeoNames' cities.

usage: base-map.py COUNTRIES.zip CITIES.json OUT

Writes OUT/land.json (outlines), OUT/country.json and OUT/city.json (points with `name` and `rank`), a feature a line.
The shapefile is read as ESRI's white paper of July 1998 has it, the table as dBASE III.
"""

import json
import struct
import sys
import zipfile
from pathlib import Path


def table(dbf: bytes):
    """The rows of a dBASE table, as dictionaries of text."""
    count, start, width = struct.unpack("<IHH", dbf[4:12])
    fields, at = [], 32
    while dbf[at] != 0x0D:
        name = dbf[at : at + 11].split(b"\0")[0].decode("ascii")
        fields.append((name, dbf[at + 16]))
        at += 32
    for index in range(count):
        row, place = {}, start + index * width + 1
        for name, size in fields:
            row[name] = dbf[place : place + size].decode("utf-8", "replace").strip().strip("\0")
            place += size
        yield row


def polygons(shp: bytes):
    """The rings of each polygon of a shapefile, in longitude and latitude."""
    at = 100
    while at < len(shp):
        words = struct.unpack(">I", shp[at + 4 : at + 8])[0]
        content = shp[at + 8 : at + 8 + 2 * words]
        at += 8 + 2 * words
        kind = struct.unpack("<I", content[:4])[0]
        if kind != 5:
            sys.exit(f"shape type {kind} found, 5 (polygon) allowed")
        parts, points = struct.unpack("<II", content[36:44])
        starts = list(struct.unpack(f"<{parts}I", content[44 : 44 + 4 * parts])) + [points]
        flat = struct.unpack(f"<{2 * points}d", content[44 + 4 * parts :])
        yield [
            [(round(flat[2 * k], 4), round(flat[2 * k + 1], 4)) for k in range(first, last)]
            for first, last in zip(starts, starts[1:])
        ]


def turns_right(ring) -> bool:
    """Outer rings of a shapefile turn right, holes left."""
    return sum((b[0] - a[0]) * (b[1] + a[1]) for a, b in zip(ring, ring[1:])) > 0


def grouped(rings):
    """Polygons of GeoJSON: each outer ring with the holes that follow it."""
    parts = []
    for ring in rings:
        if turns_right(ring) or not parts:
            parts.append([ring])
        else:
            parts[-1].append(ring)
    return parts


def feature(geometry, properties, minzoom=None):
    value = {"type": "Feature", "properties": properties, "geometry": geometry}
    if minzoom is not None:
        value["tippecanoe"] = {"minzoom": minzoom}
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def point(longitude, latitude):
    return {"type": "Point", "coordinates": [round(float(longitude), 4), round(float(latitude), 4)]}


# People a city must have to be in the tiles from that zoom on; the last zoom has all.
city_zooms = [(5_000_000, 3), (1_000_000, 4), (400_000, 5), (0, 6)]


def main():
    countries, cities, out = (Path(name) for name in sys.argv[1:4])
    out.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(countries) as archive:
        names = archive.namelist()
        read = lambda suffix: archive.read(next(name for name in names if name.endswith(suffix)))
        rows, shapes = list(table(read(".dbf"))), list(polygons(read(".shp")))
    if len(rows) != len(shapes):
        sys.exit(f"{len(rows)} rows found for {len(shapes)} shapes")
    with open(out / "land.json", "w") as land, open(out / "country.json", "w") as labels:
        for row, rings in zip(rows, shapes):
            land.write(feature({"type": "MultiPolygon", "coordinates": grouped(rings)}, {}))
            rank = int(float(row.get("LABELRANK") or 6))
            name = row.get("NAME_EN") or row["NAME"]
            if row.get("LABEL_X"):
                labels.write(feature(point(row["LABEL_X"], row["LABEL_Y"]), {"name": name, "rank": rank}, max(0, rank - 2)))
    with open(out / "city.json", "w") as file:
        for city in json.loads(cities.read_text()).values():
            people = city["population"]
            zoom = next(zoom for least, zoom in city_zooms if people >= least)
            file.write(feature(point(city["longitude"], city["latitude"]), {"name": city["name"], "rank": -people}, zoom))


main()
