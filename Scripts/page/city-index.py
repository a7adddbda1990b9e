#!/usr/bin/env python3
"""Makes the list of cities that the page searches by name, from GeoNames' cities.

usage: city-index.py CITIES.json STATES.json OUT.txt

The list is UTF-8 text, a line each, read by Web/scripts/places/city-index.js:

    proximity cities 1 TAB number of cities
    @AT                     the country of the cities below, by ISO 3166
    @US TAB Missouri        in the United States with the state
    62 TAB 48.208 TAB 16.372 TAB Vienna TAB Wien TAB ...

A city is ten times the decimal logarithm of its people (62: some 1,600,000), degrees north, degrees east, and its names,
the name that GeoNames uses in English first. Three decimals are 56 m at most, less than the doubt about where a city's
middle is. Countries, states, cities (most people first) and names are sorted, so the same source gives the same bytes.

A name is left out that the search would not tell from another of the city (`plain` is the same rule as in
Web/scripts/words/plain.js), of these the first with accents stays. So are codes of airports, and transliterations by a
program, which have no capital letter ("wei ye na"): nobody types them.
"""

import json
import math
import re
import sys
import unicodedata
from functools import cache
from pathlib import Path

MARKS = re.compile("[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff]")
LETTERS = str.maketrans(
    {"ß": "ss", "ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ə": "e"}
    | {"ک": "ك", "ی": "ي", "ى": "ي", "ہ": "ه", "ھ": "ه", "ۀ": "ه", "ە": "ه", "ة": "ه"}
    | dict.fromkeys("'’‘ʻʼʾʿ`´")
)


@cache
def is_letter(char: str) -> bool:
    return unicodedata.category(char)[0] in "LMN"


@cache
def is_latin(char: str) -> bool:
    return char.isalpha() and unicodedata.name(char, "").startswith("LATIN")


def plain(text: str) -> str:
    text = MARKS.sub("", unicodedata.normalize("NFKD", text)).lower().translate(LETTERS)
    return " ".join("".join(char if is_letter(char) else " " for char in text).split())


def is_wanted(name: str) -> bool:
    if re.search(r"[\t\n\r]", name) or re.fullmatch("[A-Z]{3}", name):
        return False
    return name != name.lower() or not any(map(is_latin, name))


def names(city) -> list[str]:
    first = city["name"]
    kept, seen = [first], {plain(first)}
    others = filter(is_wanted, set(city["alternatenames"]))
    for key, _, name in sorted((plain(name), name.isascii(), name) for name in others):
        if key and key not in seen:
            seen.add(key)
            kept.append(name)
    return kept


def main():
    cities, states = (json.loads(Path(name).read_text("utf-8")) for name in sys.argv[1:3])
    groups: dict[str, list] = {}
    for city in cities.values():
        country = city["countrycode"]
        state = states[city["admin1code"]]["name"] if country == "US" else None
        groups.setdefault(f"{country}\t{state}" if state else country, []).append(city)
    lines = [f"proximity cities 1\t{sum(map(len, groups.values()))}"]
    for group, members in sorted(groups.items()):
        lines.append(f"@{group}")
        for city in sorted(members, key=lambda city: (-city["population"], city["geonameid"])):
            size = round(10 * math.log10(max(1, city["population"])))
            lines.append("\t".join([str(size), f"{city['latitude']:.3f}", f"{city['longitude']:.3f}", *names(city)]))
    Path(sys.argv[3]).write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
