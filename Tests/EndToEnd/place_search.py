"""Looks for places in bytes: in what a server stored and sent. Each place is looked for in every form in which it could stand there."""
import array
import math
import re
import struct
import sys

# A double that is this near to one of the day's, with its other half beside it, is the day's.
NEAR = 0.002
# Latitude and longitude stand within so many bytes of each other.
BESIDE = 64
GEOHASH = "0123456789bcdefghjkmnpqrstuvwxyz"
# A second such as 46.051 is no latitude.
TIME_OF_DAY = re.compile(rb"T\d\d:\d\d:\d\d\.\d+")
# 150 m: a shorter one would be found in any base 32.
GEOHASH_LETTERS = 7


def geohash(latitude, longitude, letters=GEOHASH_LETTERS):
    ranges = [[-180.0, 180.0], [-90.0, 90.0]]
    value, text = 0, ""
    for bit in range(letters * 5):
        span, place = ranges[bit % 2], (longitude, latitude)[bit % 2]
        middle = (span[0] + span[1]) / 2
        is_upper = place >= middle
        span[0 if is_upper else 1] = middle
        value = value * 2 + is_upper
        if bit % 5 == 4:
            text += GEOHASH[value]
            value = 0
    return text


def cut(value, decimals):
    """Its digits, not rounded."""
    sign = "-" if value < 0 else ""
    whole, digits = f"{abs(value):.12f}".split(".")
    return f"{sign}{whole}.{digits[:decimals]}"


def forms(latitude, longitude):
    """The name of each form of a place and the bytes of it. Text stands as it would be read anywhere, so a cut one finds longer ones."""
    for name, degrees in (("latitude", latitude), ("longitude", longitude)):
        radians = math.radians(degrees)
        texts = {"degrees": {cut(degrees, 3), f"{degrees:.3f}"}, "radians": {cut(radians, 6), f"{radians:.6f}"},
                 "E7": {str(int(degrees * 1e7))[:8]}}
        for form, all_of_them in texts.items():
            for text in all_of_them:
                yield f"{name}, text, {form}", text.encode()
                yield f"{name}, text in UTF-16, {form}", text.encode("utf-16-le")
        for form, value in (("degrees", degrees), ("radians", radians)):
            for order, end in (("<", "little"), (">", "big")):
                yield f"{name}, double, {form}, {end} endian", struct.pack(order + "d", value)
    yield "geohash", geohash(latitude, longitude).encode()


def short_forms(latitude, longitude):
    """Forms of four bytes, which chance writes as well: the two halves of each, that have to stand beside each other."""
    for order, end in (("<", "little"), (">", "big")):
        for form, turned in (("degrees", float), ("radians", math.radians)):
            yield (f"floats, {form}, {end} endian",
                   struct.pack(order + "f", turned(latitude)), struct.pack(order + "f", turned(longitude)))
        for form, scale in (("E7", 1e7), ("E6", 1e6)):
            for whole in (int, round):
                # SQLite keeps an integer of this size in four bytes, the longest end first.
                yield (f"integers, {form}, {end} endian", *(
                    whole(degrees * scale).to_bytes(4, end, signed=True) for degrees in (latitude, longitude)))


class Search:
    """The places of a day."""

    def __init__(self, places):
        self.places = places
        self.names = {}
        for place in places:
            for name, bytes_ in forms(*place):
                self.names.setdefault(bytes_, name)
        self.shorts = [short for place in places for short in short_forms(*place)]

    def found(self, content):
        """The forms in which any of the places stands there; none, if the content tells nothing of them."""
        content = TIME_OF_DAY.sub(b"", content)
        names = {name for bytes_, name in self.names.items() if bytes_ in content}
        for name, latitude, longitude in self.shorts:
            at = content.find(latitude)
            while at >= 0 and name not in names:
                if longitude in content[max(0, at - BESIDE):at + BESIDE]:
                    names.add(name)
                at = content.find(latitude, at + 1)
        return sorted(names | ({"a pair of doubles near one of them"} if self._pairs(content) else set()))

    def _pairs(self, content):
        latitudes = [place[0] for place in self.places]
        longitudes = [place[1] for place in self.places]
        south, north = min(latitudes) - NEAR, max(latitudes) + NEAR
        west, east = min(longitudes) - NEAR, max(longitudes) + NEAR
        for is_swapped in (False, True):
            lats, longs = [], []
            for offset in range(8):
                doubles = array.array("d")
                doubles.frombytes(content[offset:offset + (len(content) - offset) // 8 * 8])
                if is_swapped != (sys.byteorder == "big"):
                    doubles.byteswap()
                lats += [(8 * at + offset, value) for at, value in enumerate(doubles) if south < value < north]
                longs += [(8 * at + offset, value) for at, value in enumerate(doubles) if west < value < east]
            for latitude, longitude in self.places:
                one = [at for at, value in lats if abs(value - latitude) < NEAR]
                other = [at for at, value in longs if abs(value - longitude) < NEAR]
                if any(abs(a - b) <= BESIDE for a in one for b in other):
                    return True
        return False
