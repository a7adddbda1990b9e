"""What was measured, as a page of tables and a chart."""
import math, platform, statistics

WORKLOADS = ["one-zone", "circles-10k", "polygons-10k", "polygons-100k-world", "big-rings", "circles-1m-world", "long-edges"]
SHOWN = ["contains", "contains-batch", "journeys", "journeys-kept", "nearest", "nearest-8"]
PEERS = {"s2": "S2", "geos": "GEOS", "postgis": "PostGIS"}
# What must be reached and what is aimed at: how many times as fast as the best peer.
TARGETS = {
    ("one-zone", "contains"): (1.2, 2), ("circles-10k", "contains"): (4.5, 7), ("circles-10k", "contains-batch"): (8, 12),
    ("polygons-10k", "contains"): (5.5, 8), ("polygons-10k", "contains-batch"): (10, 16),
    ("polygons-100k-world", "contains"): (4, 7), ("polygons-100k-world", "contains-batch"): (11, 16),
    ("big-rings", "contains"): (6, 8), ("big-rings", "contains-batch"): (14, 18),
    ("circles-1m-world", "contains"): (4, 6), ("circles-1m-world", "contains-batch"): (9, 14),
    ("one-zone", "journeys-kept"): (1.2, 2), ("circles-10k", "journeys-kept"): (7, 12),
    ("polygons-10k", "journeys-kept"): (15, 30), ("polygons-100k-world", "journeys-kept"): (17, 35),
    ("big-rings", "journeys-kept"): (8, 20), ("circles-1m-world", "journeys-kept"): (9, 20),
    ("circles-10k", "nearest"): (9, 20), ("polygons-10k", "nearest"): (3, 8), ("polygons-100k-world", "nearest"): (3, 8),
    ("big-rings", "nearest"): (10, 30), ("circles-10k", "nearest-8"): (40, 80), ("polygons-10k", "nearest-8"): (25, 60),
    ("polygons-100k-world", "nearest-8"): (23, 50), ("big-rings", "nearest-8"): (100, 1000),
}
# On long edges those who take the earth for flat are up to a hundred kilometres beside them, and have a target of their own.
TARGETS_OF_PEERS = {
    ("long-edges", "contains"): {"s2": (8.5, 12.5), "geos": (3.4, 5)},
    ("long-edges", "contains-batch"): {"s2": (16, 20), "geos": (6.5, 8)},
}
# What a peer is asked for when it has nothing of the kind.
AS_PEER = {"contains-batch": "contains", "journeys-kept": "journeys"}


def median(rows, engine, operation, what="ns"):
    """Of the rows with the most fixes; None when there are none."""
    chosen = [row for row in rows if row["engine"] == engine and row["operation"] == operation]
    most = max((row["count"] for row in chosen), default=0)
    return statistics.median(row[what] for row in chosen if row["count"] == most) if chosen else None


def ratio(rows, operation, peers=tuple(PEERS)):
    """How many times as fast as the fastest of some peers; None when none was asked."""
    ours = median(rows, "proximity", operation)
    theirs = [median(rows, peer, AS_PEER.get(operation, operation)) for peer in peers]
    best = min((ns for ns in theirs if ns is not None), default=None)
    return best / ours if ours and best else None


def judged(workload, rows, operation):
    """Each ratio that is looked at, with the peer if it is one peer's, and what it must be and is aimed to be, None without a target."""
    of_peers = TARGETS_OF_PEERS.get((workload, operation))
    if of_peers:
        return [(peer, ratio(rows, operation, [peer]), *target) for peer, target in of_peers.items() if ratio(rows, operation, [peer])]
    return [(None, ratio(rows, operation), *TARGETS.get((workload, operation), (None, None)))]


def judged_with_target(measured):
    return [(f"{workload}, {operation}{f', {PEERS[peer]}' if peer else ''}", value, must, aim)
            for workload, kept in measured.items() for operation in SHOWN
            for peer, value, must, aim in judged(workload, kept["rows"], operation) if must and value]


def verdict(rows, operation):
    """What the witness says, by the checksum over the same fixes; of distances, how their mean differs from S2's sphere."""
    if operation.startswith("nearest"):
        ours, theirs = (median(rows, engine, operation, "hits") for engine in ("proximity", "s2"))
        return f"mean {abs(ours / theirs - 1) * 100:.1f} % from S2's" if ours and theirs else "-"
    sums = {row["count"]: row["sum"] for row in rows
            if row["engine"] == "witness" and row["operation"] == {"contains-batch": "contains"}.get(operation, operation)}
    compared = [row for row in rows if row["engine"] in ("proximity", "lean") and row["operation"] == operation and row["count"] in sums]
    if not compared:
        return "not asked"
    return "equal" if all(row["sum"] == sums[row["count"]] for row in compared) else "**WRONG**"


def beside(rows):
    """Rows of places beside boundaries: how many of how many were answered wrong."""
    return [row for row in rows if row["operation"].startswith("beside-")]


def wrong(measured):
    """Whether anything was answered otherwise than the witness says."""
    return any("WRONG" in verdict(kept["rows"], operation) for kept in measured.values() for operation in SHOWN) \
        or any(row["hits"] for kept in measured.values() for row in beside(kept["rows"]))


def time(ns):
    if ns is None:
        return "-"
    return f"{ns / 1e6:,.1f} ms" if ns >= 1e7 else f"{ns / 1e3:,.1f} µs" if ns >= 1e4 else f"{ns:,.0f} ns" if ns >= 100 else f"{ns:.1f} ns"


def lines_of_times(measured):
    yield f"| workload | operation | ours | {' | '.join(PEERS.values())} | ratio | must | aim | reached | witness |"
    yield "| --- " * (8 + len(PEERS)) + "|"
    for workload, kept in measured.items():
        rows = kept["rows"]
        for operation in SHOWN:
            ours = median(rows, "proximity", operation)
            if ours is None:
                continue
            theirs = [time(median(rows, peer, AS_PEER.get(operation, operation))) for peer in PEERS]
            found = judged(workload, rows, operation)
            ratios = ", ".join(f"{value:.1f}{f' {PEERS[peer]}' if peer else ''}" if value else "-" for peer, value, _, _ in found)
            musts, aims = (", ".join(f"{target:g}" for target in targets if target) for targets in
                           ([must for _, _, must, _ in found], [aim for _, _, _, aim in found]))
            reached = ", ".join("aim" if value >= aim else "must" if value >= must else "**short**" for _, value, must, aim in found if must and value)
            yield (f"| {workload} | {operation} | {time(ours)} | {' | '.join(theirs)} | {ratios} | {musts} | {aims} | {reached} | "
                   f"{verdict(rows, operation)} |")


def lines_of_beside(measured):
    offsets = sorted({float(row["operation"][7:]) for kept in measured.values() for row in beside(kept["rows"])})
    yield "| workload | places each | " + " | ".join(f"{offset:g} m" for offset in offsets) + " |"
    yield "| --- " * (2 + len(offsets)) + "|"
    for workload, kept in measured.items():
        found = {float(row["operation"][7:]): row for row in beside(kept["rows"])}
        if found:
            yield (f"| {workload} | {max(row['count'] for row in found.values()):,} | "
                   + " | ".join(str(found[offset]["hits"]) if offset in found else "-" for offset in offsets) + " |")


def cost(rows, engine, operation="contains"):
    mb, build = median(rows, engine, operation, "mb"), median(rows, engine, operation, "build")
    return "-" if mb is None else f"{mb:,.1f} / {build:,.2f}"


def lines_of_costs(measured):
    yield "| workload | ours | with outlines | lean | " + " | ".join(PEERS.values()) + " | one edit |"
    yield "| --- " * (5 + len(PEERS)) + "|"
    for workload, kept in measured.items():
        rows = kept["rows"]
        yield (f"| {workload} | {cost(rows, 'proximity')} | {cost(rows, 'proximity', 'with-outlines')} | {cost(rows, 'lean')} | "
               + " | ".join(cost(rows, peer) for peer in PEERS) + f" | {time(median(rows, 'proximity', 'edit'))} |")


def lines_of_lean(measured):
    yield "| workload | alone | lean | in batches | lean | memory, of the usual |"
    yield "| --- " * 6 + "|"
    for workload, kept in measured.items():
        rows = kept["rows"]
        lean, usual = median(rows, "lean", "contains", "mb"), median(rows, "proximity", "contains", "mb")
        times = [time(median(rows, engine, operation)) for operation in ("contains", "contains-batch") for engine in ("proximity", "lean")]
        yield f"| {workload} | {' | '.join(times)} | {f'{100 * lean / usual:.0f} %' if lean and usual else '-'} |"


def processor():
    try:
        names = [line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
        return f"{names[0]}, {len(names)} cores" if names else platform.machine()
    except OSError:
        return platform.machine()


def runs(measured):
    """When, in how many rounds and beside how much other work, once for workloads measured alike."""
    alike = {}
    for workload, kept in measured.items():
        alike.setdefault((kept["date"], kept["rounds"]), []).append((workload, max(kept["load"])))
    return "; ".join(f"{date}, {rounds} round{'s' if rounds > 1 else ''}: " + ", ".join(f"{workload} (load {load:.1f})" for workload, load in found)
                     for (date, rounds), found in alike.items())


def page(measured):
    ratios = judged_with_target(measured)
    must, aim = sum(r >= m for _, r, m, _ in ratios), sum(r >= a for _, r, _, a in ratios)
    versions = {}
    for kept in measured.values():
        versions.update(kept["versions"])
    peers = ", ".join(versions.get(peer, f"{name} not present") for peer, name in PEERS.items())
    places = sum(row["count"] for kept in measured.values() for row in beside(kept["rows"]))
    missed = sum(row["hits"] for kept in measured.values() for row in beside(kept["rows"]))
    seeds = {kept["seed"] for kept in measured.values()} - {0}
    seed = f" Seed {', '.join(map(str, seeds))}." if seeds else ""
    parts = [
        "# The zone index and its peers",
        f"`make bench` writes this. {processor()}, {platform.system()} {platform.release()}. Beside ours: {peers}.",
        f"Measured {runs(measured)}.{seed}",
        f"**Of {len(ratios)} ratios with a target {must} reach what they must, {aim} what is aimed at. {missed} of {places:,} places beside boundaries "
        f"are answered wrong; {'something differs from the witness' if wrong(measured) else 'every checksum is the witness’s'}.**",
        "One thread, its own time, for one fix; medians of the rounds, in which the engines take turns. *Ratio* is to the fastest peer. S2's circles "
        "are on a sphere, and GEOS and PostGIS take polygons as flat, so their answers differ from the ellipsoid's; PostGIS's circles do not. "
        "`contains` asks one fix at a time, `contains-batch` 64; `journeys` are 1,000 devices at 1 Hz, `journeys-kept` the same "
        "telling only who comes and goes, for which peers have nothing and are set by their `journeys`; `nearest` and `nearest-8` are metres to the "
        "nearest zones' boundaries, by an index of ours that only the benchmark has.",
        "![ratios](ratios.svg)",
        "\n".join(lines_of_times(measured)),
        "## Places beside boundaries that are answered wrong",
        "By the witness, which looks at every edge and knows nothing of the index.",
        "\n".join(lines_of_beside(measured)),
        "## Memory and time to build",
        "MB / seconds. Ours is the index; *with outlines* also counts the shapes made ready for measuring, which the index asks where it is in doubt. "
        "S2's and GEOS's hold the vertices too. *One edit* is a new index after one zone has changed.",
        "\n".join(lines_of_costs(measured)),
        "## The lean grid",
        "`ContainmentIndex(entries, density: 0.2)`: fewer, larger cells.",
        "\n".join(lines_of_lean(measured)),
    ]
    return "\n\n".join(parts) + "\n"


def chart(measured):
    """Bars on a scale of ratios, each with a mark where it must be and one where it is aimed to be."""
    bars = judged_with_target(measured)
    left, width, row, top = 250, 480, 22, 64
    greatest = max([max(value, aim) for _, value, _, aim in bars], default=10)
    decades = max(1, math.log10(greatest * 1.4))

    def x(value):
        return left + width * math.log10(max(1, value)) / decades

    height = top + row * len(bars) + 12
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 60} {height}" width="{left + width + 60}" height="{height}" '
           'font-family="sans-serif" font-size="12">', '<rect width="100%" height="100%" fill="white"/>',
           '<text x="12" y="20" font-size="14" font-weight="bold">How many times as fast as the fastest peer</text>',
           '<rect x="12" y="31" width="3" height="12" fill="#c1121f"/><text x="20" y="42">must</text>',
           '<rect x="62" y="31" width="3" height="12" fill="#111"/><text x="70" y="42">aim</text>',
           '<rect x="102" y="31" width="12" height="12" fill="#e09f3e"/><text x="119" y="42">less than it must be</text>']
    for tick in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000):
        if tick <= greatest * 1.4:
            out += [f'<line x1="{x(tick):.1f}" y1="{top - 6}" x2="{x(tick):.1f}" y2="{height - 12}" stroke="#ddd"/>',
                    f'<text x="{x(tick):.1f}" y="{top - 10}" text-anchor="middle" fill="#555">{tick}</text>']
    for number, (name, value, must, aim) in enumerate(bars):
        y = top + row * number
        colour = "#2a6f97" if value >= must else "#e09f3e"
        out += [f'<text x="{left - 8}" y="{y + 15}" text-anchor="end">{name}</text>',
                f'<rect x="{left}" y="{y + 3}" width="{max(1, x(value) - left):.1f}" height="{row - 7}" fill="{colour}"/>',
                f'<rect x="{x(must) - 1:.1f}" y="{y + 1}" width="3" height="{row - 3}" fill="#c1121f"/>',
                f'<rect x="{x(aim) - 1:.1f}" y="{y + 1}" width="3" height="{row - 3}" fill="#111"/>',
                f'<text x="{x(max(value, aim)) + 7:.1f}" y="{y + 15}">{value:.1f}</text>']
    return "\n".join(out + ["</svg>"]) + "\n"
