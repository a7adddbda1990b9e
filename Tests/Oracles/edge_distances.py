"""Writes Tests/GeometryTests/EdgeDistanceOracle.swift: how far points are from edges, by GeographicLib.

    pip install geographiclib==2.1 scipy
    python3 Tests/Oracles/edge_distances.py > Tests/GeometryTests/EdgeDistanceOracle.swift

The distance to an edge is the least of GeographicLib's distances to its points: sampled, then minimised where it is
least (scipy's bounded scalar minimisation). Minima are flat, so the least value is good to the last digits though
its place is not.
"""

import random

from geographiclib.geodesic import Geodesic
from scipy.optimize import minimize_scalar

WGS84 = Geodesic.WGS84


def wrapped(degrees):
    return (degrees + 180) % 360 - 180


def positions(kind, a, b):
    """Fraction to (latitude, longitude)."""
    if kind == "geodesic":
        line = WGS84.InverseLine(*a, *b)

        def at(t):
            p = line.Position(t * line.s13)
            return p["lat2"], p["lon2"]

        return at
    sweep = wrapped(b[1] - a[1])
    return lambda t: (a[0] + t * (b[0] - a[0]), a[1] + t * sweep)


def distance(kind, a, b, p):
    at = positions(kind, a, b)
    off = lambda t: WGS84.Inverse(*at(t), *p, Geodesic.DISTANCE)["s12"]
    n = 64
    samples = [off(i / n) for i in range(n + 1)]
    k = samples.index(min(samples))
    low, high = max(0, k - 1) / n, min(n, k + 1) / n
    best = min(samples[0], samples[n])
    # The search is as fine as its variable is small, so each one counts from where the last one ended.
    origin = (low + high) / 2
    width = (high - low) / 2
    for _ in range(4):
        found = minimize_scalar(
            lambda u: off(min(1, max(0, origin + u))),
            bounds=(-width, width),
            method="bounded",
            options={"xatol": 1e-15},
        )
        best = min(best, found.fun)
        origin += found.x
        width /= 1000
    return best


def rows():
    r = random.Random(20261121)
    for number in range(240):
        kind = "geodesic" if number % 3 else "lonLat"
        length = r.choice([10, 100, 1000, 10_000, 100_000, 1_000_000]) * r.uniform(0.3, 1)
        off = r.choice([1, 10, 100, 1000, 10_000, 100_000, 1_000_000]) * r.uniform(0.3, 1)
        # Straight lines in longitude and latitude stay off the poles; geodesics go over them.
        a = (r.uniform(-75, 75) if kind == "lonLat" else r.uniform(-90, 90), r.choice([r.uniform(-180, 180), 179.99]))
        there = WGS84.Direct(*a, r.uniform(-180, 180), length)
        b = (there["lat2"], wrapped(there["lon2"]))
        at = positions(kind, a, b)(r.uniform(-0.1, 1.1))
        beside = WGS84.Direct(*at, r.uniform(-180, 180), off)
        p = (beside["lat2"], wrapped(beside["lon2"]))
        a, b, p = [(round(x, 10), round(y, 10)) for x, y in (a, b, p)]
        yield kind, a, b, p


print("/// What GeographicLib (PyPI, 2.1) answers; written by Tests/Oracles/edge_distances.py.")
print("enum EdgeDistanceOracle {")
print("  /// Kind of edge, latitude and longitude of its ends and of a point, metres from the point to the edge.")
print('  static let rows = """')
for kind, a, b, p in rows():
    print("   ", kind, *a, *b, *p, repr(round(float(distance(kind, a, b, p)), 9)))
print('    """')
print("}")
