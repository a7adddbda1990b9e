"""Writes Tests/GeometryTests/GeodesicOracle.swift: what GeographicLib answers to a few hundred geodesics.

    pip install geographiclib==2.1
    python3 Tests/Oracles/geodesics.py > Tests/GeometryTests/GeodesicOracle.swift
    python3 Tests/Oracles/geodesics.py --series   # the constants of GeodesicSeries.a3 and c3
"""

import random
import sys
from fractions import Fraction

from geographiclib.geodesic import Geodesic

WGS84 = Geodesic.WGS84
EVERYTHING = Geodesic.STANDARD | Geodesic.REDUCEDLENGTH | Geodesic.GEODESICSCALE


def pairs():
    """(latitude, longitude, latitude, longitude), under a name."""
    r = random.Random(20130101)
    lat = lambda: round(r.uniform(-90, 90), 9)
    lon = lambda: round(r.uniform(-180, 180), 9)

    yield "anywhere", [(lat(), lon(), lat(), lon()) for _ in range(80)]

    near = []
    for metres in (1e-6, 0.01, 1, 50, 150, 1000, 10000, 200000):
        for _ in range(8):
            a, b = round(r.uniform(-89, 89), 9), lon()
            to = WGS84.Direct(a, b, r.uniform(-180, 180), metres)
            near.append((a, b, round(to["lat2"], 12), round(to["lon2"], 12)))
    yield "near", near

    antipodes = []
    for degrees in (0, 1e-9, 1e-6, 1e-3, 0.1, 0.4, 0.7):
        for _ in range(8):
            a, b = round(r.uniform(-90, 90), 6), round(r.uniform(-180, 0), 6)
            c = max(-90, min(90, round(-a + degrees * r.uniform(-1, 1), 12)))
            antipodes.append((a, b, c, round(b + 180 + degrees * r.uniform(-1, 0), 12)))
    yield "antipodes", antipodes

    equator = [(0, 0, 0, x) for x in (0, 1e-9, 1, 90, 179, 179.3, 179.39, 179.4, 179.5, 179.9, 179.99999, 180)]
    equator += [(1e-10, 0, -1e-10, 179.3), (1e-10, 5, 1e-10, -175.5), (1e-12, 0, 0, 1)]
    yield "equator", equator

    poles = [(90, 0, 90, 0), (90, 0, -90, 0), (-90, 30, 90, -40), (90, 10, 45, 100), (-90, 10, 45, 100)]
    poles += [(89.9999999, 0, 89.9999999, 180), (89.99999, -90, 89.99999, 91), (-90, 0, -89.9999999, 77)]
    poles += [(90, 30, 90, 120), (-89.5, 10, -89.5, -170), (45, 20, 90, -20)]
    yield "poles", poles

    meridian = [(10, 20, 50, 20), (10, 20, 50, -160), (-30, 0, 30, 180), (-30, 0, 30.1, 180), (-30, 0, 29.9, 180)]
    yield "meridian", meridian

    date_line = []
    for _ in range(15):
        a = round(r.uniform(-80, 80), 9)
        date_line.append((a, 180 - round(r.uniform(0, 0.01), 9), a + 0.001, -180 + round(r.uniform(0, 0.01), 9)))
    date_line += [(10, 180, 10, -180), (10, -180, 10.5, 180), (-17, 179.999999999, -17, -179.999999999)]
    yield "date line", date_line

    same = [(lat(), lon()) for _ in range(5)] + [(0, 0), (0, 180), (51.5, -0.0)]
    yield "one point", [(a, b, a, b) for a, b in same]


def directs():
    """(latitude, longitude, azimuth, metres)."""
    r = random.Random(20130102)
    rows = [(0, 0, 90, 1e7), (0, 0, 0, 1e7), (90, 0, 180, 5e6), (90, 40, 10, 5e6), (-90, 0, 0, 1000)]
    rows += [(0, 0, 0, 10001965.729312), (0, 170, 90, 2e7), (0, 0, 90, 5e7), (40, 179.9, 90, 1e5)]
    rows += [(30, 10, 45, 0), (30, 10, 45, -1e6), (89.9999999, 0, 0, 1), (0, 0, -90, 1)]
    for metres in (0.01, 10, 1000, 1e5, 1e7, 2e7):
        for _ in range(15):
            rows.append((round(r.uniform(-90, 90), 9), round(r.uniform(-180, 180), 9),
                         round(r.uniform(-180, 180), 9), round(metres * r.uniform(0.1, 1), 6)))
    return rows


def text(*numbers):
    return " ".join(repr(float(x)) for x in numbers)


def table():
    print("""/// What GeographicLib (PyPI, 2.1) answers; written by Tests/Oracles/geodesics.py.
enum GeodesicOracle {
  /// A name, then latitude and longitude of both points, s12, azi1, azi2, m12, M12, M21.
  static let inverse = \"\"\"""")
    for name, rows in pairs():
        for row in rows:
            g = WGS84.Inverse(*row, EVERYTHING)
            print("   ", name.replace(" ", "-"), text(*row),
                  text(g["s12"], g["azi1"], g["azi2"], g["m12"], g["M12"], g["M21"]))
    print("""    \"\"\"

  /// Latitude, longitude, azi1, s12, then latitude and longitude reached, azi2, m12, M12, M21.
  static let direct = \"\"\"""")
    for row in directs():
        g = WGS84.Direct(*row, EVERYTHING)
        print("   ", text(*row), text(g["lat2"], g["lon2"], g["azi2"], g["m12"], g["M12"], g["M21"]))
    print("""    \"\"\"
}""")


def series():
    """Equations 24 and 25 of Karney (2013): polynomials in n, highest power first, the divisor last."""
    f = 1 / Fraction("298.257223563")
    n = f / (2 - f)

    def value(row):
        total = Fraction(0)
        for c in row[:-1]:
            total = total * n + c
        return float(total / row[-1])

    a3 = [[-3, 128], [-2, -3, 64], [-1, -3, -1, 16], [3, -1, -2, 8], [1, -1, 2]]
    c3 = [[[3, 128], [2, 5, 128], [-1, 3, 3, 64], [-1, 0, 1, 8], [-1, 1, 4]],
          [[5, 256], [1, 3, 128], [-3, -2, 3, 64], [1, -3, 2, 32]],
          [[7, 512], [-10, 9, 384], [5, -9, 5, 192]],
          [[7, 512], [-14, 7, 512]],
          [[21, 2560]]]
    print("A3, from the fifth power of epsilon down:", *[repr(value(row)) for row in a3])
    for l, rows in enumerate(c3, 1):
        print(f"C3[{l}], from the fifth power of epsilon down:", *[repr(value(row)) for row in rows])


if __name__ == "__main__":
    series() if "--series" in sys.argv else table()
