#!/usr/bin/env python3
"""Makes walk.gpx, zones.pad and walk-truth.csv: an invented walk, its zones, and when it truly crossed them.

Run without arguments; the same bytes come out every time. Nothing here was walked by anybody.

The story: home, a path over a railway, five minutes in a café, a nature reserve, a cliff edge, a wood without
reception, an end in the open. Positions carry the error of a phone: correlated over 60 s, with the radius stated
that holds it 68 times in 100; once the phone is wildly wrong and does not know it.
"""
import math
import os

SEED = 20260516
START_MS = 1778922000_000  # 2026-05-16T09:00:00Z, a Saturday
HOME = (50.7392000, 0.2416000)
WALK, HURRY = 1.35, 2.2  # metres per second
CORRELATION_S = 60.0
RADIUS_68 = math.sqrt(-2 * math.log(1 - 0.68))  # of a circular normal distribution, in deviations: 1.5096

# The route: metres east and north of HOME, speed on the way there, seconds spent there.
ROUTE = [
    ((0, 0), WALK, 60),
    ((150, 30), WALK, 0),
    ((285, 60), WALK, 0),
    ((315, 64), HURRY, 0),
    ((450, 120), WALK, 300),
    ((560, 200), WALK, 0),
    ((640, 290), WALK, 0),
    ((760, 330), WALK, 45),
    ((840, 377), WALK, 0),
    ((930, 430), WALK, 20),
    ((1000, 560), WALK, 0),
    ((960, 700), WALK, 30),
]

CIRCLE, CORRIDOR, POLYGON = "circle", "corridor", "polygon"
ZONES = [
    # name, kind, corners (m east, north), size, inset, alert distance, rows of their own
    ("Home", CIRCLE, [(0, 0)], 40, 0, 0, ["AlertZoneCategory,Places", "AlertZonePriority,1", "AlertZoneTrigger,leave"]),
    ("Railway", CORRIDOR, [(288, -240), (297, -20), (301, 60), (306, 180), (330, 420)], 2.5, 0, 0,
     ["AlertZoneCategory,Hazards", "AlertZonePriority,5", "AlertZoneOutline,path"]),
    ("Café", CIRCLE, [(450, 120)], 30, 0, 0,
     ["AlertZoneCategory,Places", "AlertZonePriority,1", "AlertZoneTrigger,dwell,180"]),
    ("Orchid meadow", POLYGON, [(590, 210), (715, 225), (735, 345), (650, 380), (575, 330)], None, 15, 0,
     ["AlertZoneCategory,Reserves", "AlertZonePriority,3"]),
    ("Cliff edge", CIRCLE, [(850, 362)], 35, 0, 25,
     ["AlertZoneCategory,Hazards", "AlertZonePriority,10", "AlertZoneAssurance,safety"]),
    ("Old quarry", CIRCLE, [(1120, 300)], 60, 0, 20,
     ["AlertZoneCategory,Hazards", "AlertZonePriority,10", "AlertZoneAssurance,safety"]),
]


class Random:
    """SplitMix64 (S. Vigna, 2015), so that no version of Python changes the walk."""

    def __init__(self, seed):
        self.state = seed

    def uniform(self):
        mask = (1 << 64) - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return ((z ^ (z >> 31)) >> 11) * 2.0**-53

    def normal(self):
        return sum(self.uniform() for _ in range(12)) - 6.0


def degrees(east, north):
    """Metres from HOME to degrees on WGS 84; exact to centimetres over this kilometre."""
    a, f = 6378137.0, 1 / 298.257223563
    e2 = f * (2 - f)
    latitude = math.radians(HOME[0])
    s = 1 - e2 * math.sin(latitude) ** 2
    meridian = a * (1 - e2) / s**1.5
    parallel = a / math.sqrt(s) * math.cos(latitude)
    return HOME[0] + math.degrees(north / meridian), HOME[1] + math.degrees(east / parallel)


def legs():
    """(start s, end s, from, to) of every walk and stay, in order."""
    t, result = 0.0, []
    previous = ROUTE[0][0]
    for place, speed, stay in ROUTE:
        way = math.dist(previous, place)
        if way:
            result.append((t, t + way / speed, previous, place))
            t += way / speed
        if stay:
            result.append((t, t + stay, place, place))
            t += stay
        previous = place
    return result


LEGS = legs()
END = LEGS[-1][1]


def truth(t):
    """Where the walker is, how fast (m/s) and which way (degrees, None when standing)."""
    for start, end, a, b in LEGS:
        if t <= end:
            break
    if a == b:
        return a, 0.0, None
    share = min(1.0, (t - start) / (end - start))
    place = (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
    course = math.degrees(math.atan2(b[0] - a[0], b[1] - a[1])) % 360
    return place, math.dist(a, b) / (end - start), course


def arrival(place):
    """When the walker first gets to a corner of the route."""
    return next(end for _, end, a, b in LEGS if b == place and a != b)


def deviation(place):
    """Of the phone's error, metres on each axis: worse under the café's roof and beside the cliff."""
    if math.dist(place, (450, 120)) < 12:
        return 5.0
    return 4.0 if math.dist(place, (850, 362)) < 60 else 2.2


def distance(zone, p):
    """Signed distance from a place to the zone's effective level, metres, on the plane."""
    _, kind, corners, size, inset, _, _ = zone

    def to_edge(a, b):
        along = ((p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1])) / math.dist(a, b) ** 2
        along = max(0.0, min(1.0, along))
        return math.dist(p, (a[0] + (b[0] - a[0]) * along, a[1] + (b[1] - a[1]) * along))

    if kind == CIRCLE:
        return math.dist(p, corners[0]) - size + inset
    if kind == CORRIDOR:
        return min(to_edge(a, b) for a, b in zip(corners, corners[1:])) - size + inset
    edges = list(zip(corners, corners[1:] + corners[:1]))
    inside = False
    for a, b in edges:
        if (a[1] > p[1]) != (b[1] > p[1]) and p[0] < a[0] + (b[0] - a[0]) * (p[1] - a[1]) / (b[1] - a[1]):
            inside = not inside
    gap = min(to_edge(a, b) for a, b in edges)
    return (-gap if inside else gap) + inset


def times(random):
    """When the phone reports, whole seconds: every 1 to 5 s, with a gap over the railway and one in the wood."""
    crossing = next(t / 10 for t in range(int(END * 10)) if distance(ZONES[1], truth(t / 10)[0]) < 0)
    middle = crossing + ZONES[1][3] / HURRY
    before = int(middle - 2.5)
    wood = int(arrival((930, 430))) + 45
    t, result = 0, []
    while t <= END:
        result.append(t)
        step = 1 + int(random.uniform() * 5)
        if t < before <= t + step:
            t = before if t + step != before else t + step
            result.append(t)
            t += 5
            continue
        t += step
        if wood <= t < wood + 90:
            t = wood + 90
    return sorted(set(result))


def fixes():
    random = Random(SEED)
    east, north, before = random.normal(), random.normal(), 0
    wild = arrival((450, 120)) + 300 + 60  # a minute after the café
    done = False
    for t in times(random):
        keep = math.exp(-(t - before) / CORRELATION_S)
        fresh = math.sqrt(1 - keep * keep)
        east, north = keep * east + fresh * random.normal(), keep * north + fresh * random.normal()
        before = t
        place, speed, course = truth(t)
        sigma = deviation(place)
        stated = RADIUS_68 * sigma * (0.85 + 0.3 * random.uniform())
        measured = (place[0] + sigma * east, place[1] + sigma * north)
        if t >= wild and not done:
            done = True
            measured = (place[0] - 540, place[1] + 780)  # one echo too many; the phone believes it
        shown = max(0.0, speed + 0.12 * random.normal())
        turned = None if course is None else (course + 4 * random.normal()) % 360
        yield t, measured, stated, shown, turned


def stamp(ms):
    seconds, ms = divmod(ms - 1778889600_000, 1000)  # since that day's midnight
    return "2026-05-16T%02d:%02d:%02d.%03dZ" % (seconds // 3600, seconds // 60 % 60, seconds % 60, ms)


def write(name, text):
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name), "w", encoding="utf-8", newline="") as file:
        file.write(text)


def gpx(points):
    lines = ['<?xml version="1.0" encoding="UTF-8"?>',
             '<gpx version="1.1" creator="Scenarios/make_walk.py" xmlns="http://www.topografix.com/GPX/1/1">',
             "  <trk>", "    <name>An invented walk</name>", "    <trkseg>"]
    for t, place, stated, speed, course in points:
        turned = "" if course is None else "<course>%.1f</course>" % course
        lines.append('      <trkpt lat="%.7f" lon="%.7f"><time>%s</time><extensions><speed>%.2f</speed>%s<hAcc>%.1f</hAcc>'
                     "</extensions></trkpt>" % (*degrees(*place), stamp(START_MS + t * 1000), speed, turned, stated))
    return "\n".join(lines + ["    </trkseg>", "  </trk>", "</gpx>", ""])


def pad():
    lines = []
    for name, _, corners, size, inset, alert, rows in ZONES:
        lines += ["AlertZoneStart", "AlertZoneName," + name, rows[0], "AlertZoneActive,1", "AlertZoneVibrate,1",
                  rows[1], "AlertZoneSleepTime,30.0"]
        lines += ["AlertZoneSize,%.1f" % size] if size is not None else []
        lines += ["AlertZoneInset,%.1f" % inset, "AlertDistance,%.1f" % alert]
        lines += ["Location,%d,%.7f,%.7f" % (i + 1, *degrees(*corner)) for i, corner in enumerate(corners)]
        lines += rows[2:] + ["AlertZoneEnd", ""]
    return "\n".join(lines)


def crossings():
    """When the walker truly came into each zone's effective level and left it, to a tenth of a second."""
    lines = ["zone,event,at,second"]
    for zone in ZONES:
        inside = False
        for tenth in range(int(END * 10) + 1):
            now = distance(zone, truth(tenth / 10)[0]) <= 0
            if now != inside:
                event = "starts inside" if tenth == 0 else "enter" if now else "leave"
                lines.append("%s,%s,%s,%.1f" % (zone[0], event, stamp(START_MS + tenth * 100), tenth / 10))
            inside = now
    return "\n".join(lines) + "\n"


def check(points):
    """The walk must be what the story says."""
    railway = ZONES[1]
    assert all(distance(railway, place) > 0 for _, place, *_ in points), "a fix on the railway: it must be crossed between two"
    west, east = [max(p for p in points if p[0] < 283), min(p for p in points if p[0] > 283)]
    assert west[1][0] < 301 < east[1][0] and east[0] - west[0] <= 5, "the railway lies between two fixes"
    gaps = [b[0] - a[0] for a, b in zip(points, points[1:])]
    assert sum(gap >= 90 for gap in gaps) == 1 and sum(5 < gap < 90 for gap in gaps) == 0, "one outage"
    away = [math.dist(place, truth(t)[0]) for t, place, *_ in points]
    assert sum(d > 300 for d in away) == 1, "one wild fix"
    within = sum(d <= stated for d, (_, _, stated, *_) in zip(away, points)) / len(points)
    assert 0.5 < within < 0.9, within
    for zone in ZONES[2:5]:
        assert any(distance(zone, place) < 0 for _, place, *_ in points), zone[0]
    assert 1400 < END < 1600, END
    print("%d fixes in %d s, %.0f %% within the accuracy stated" % (len(points), END, 100 * within))


if __name__ == "__main__":
    walk = list(fixes())
    check(walk)
    write("walk.gpx", gpx(walk))
    write("zones.pad", pad())
    write("walk-truth.csv", crossings())
