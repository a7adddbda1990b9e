/// A kind of map feature, and the zoom from which it is drawn.
struct StreetKind: Hashable, Sendable {
  let kind: String
  let zoom: Int
  init(_ kind: String, _ zoom: Int) {
    self.kind = kind
    self.zoom = zoom
  }
}

/// Tables that map tags of OpenStreetMap to kinds of map features.
enum StreetKinds {
  /// `highway` of ways.
  static let roads: [String: StreetKind] = [
    "motorway": .init("motorway", 5), "trunk": .init("trunk", 6), "primary": .init("primary", 8),
    "secondary": .init("secondary", 9), "tertiary": .init("tertiary", 11),
    "motorway_link": .init("motorway_link", 9), "trunk_link": .init("trunk_link", 10),
    "primary_link": .init("primary_link", 11), "secondary_link": .init("secondary_link", 12),
    "tertiary_link": .init("tertiary_link", 12), "unclassified": .init("minor", 12),
    "residential": .init("minor", 12), "living_street": .init("minor", 12), "road": .init("minor", 12),
    "busway": .init("minor", 12), "pedestrian": .init("pedestrian", 12), "service": .init("service", 13),
    "track": .init("track", 12), "footway": .init("path", 13), "path": .init("path", 12),
    "cycleway": .init("path", 12), "bridleway": .init("path", 13), "steps": .init("steps", 13),
  ]
  static let runways: [String: StreetKind] = [
    "runway": .init("runway", 11), "taxiway": .init("taxiway", 12),
  ]
  /// `railway` of ways.
  static let rails: [String: StreetKind] = [
    "rail": .init("rail", 9), "narrow_gauge": .init("rail", 10), "funicular": .init("rail", 12),
    "monorail": .init("rail", 12), "preserved": .init("rail", 12), "light_rail": .init("tram", 12),
    "tram": .init("tram", 12), "subway": .init("subway", 12),
  ]
  /// `waterway` of ways.
  static let waterways: [String: StreetKind] = [
    "river": .init("river", 9), "canal": .init("canal", 11), "stream": .init("stream", 13),
    "ditch": .init("ditch", 13), "drain": .init("drain", 13),
  ]
  /// Areas of water, keys in order of precedence.
  static let waters: [(key: String, values: [String: String])] = [
    ("natural", ["water": "lake", "bay": "lake"]),
    ("waterway", ["riverbank": "river", "dock": "lake"]),
    ("landuse", ["reservoir": "lake", "basin": "lake"]),
    ("leisure", ["swimming_pool": "pool"]),
  ]
  /// Areas of ground, keys in order of precedence.
  static let grounds: [(key: String, values: [String: String])] = [
    (
      "natural",
      [
        "wood": "wood", "scrub": "scrub", "heath": "scrub", "grassland": "grass", "fell": "grass",
        "wetland": "wetland", "sand": "sand", "beach": "sand", "glacier": "ice", "bare_rock": "rock",
        "scree": "rock", "shingle": "rock",
      ]
    ),
    (
      "landuse",
      [
        "forest": "wood", "grass": "grass", "meadow": "grass", "village_green": "park",
        "recreation_ground": "park", "cemetery": "cemetery", "orchard": "farm", "vineyard": "farm",
        "farmland": "farm", "farmyard": "farm", "allotments": "farm", "residential": "town",
        "commercial": "town", "retail": "town", "industrial": "industry", "railway": "industry",
        "construction": "industry", "quarry": "quarry", "landfill": "quarry", "military": "military",
      ]
    ),
    (
      "leisure",
      [
        "park": "park", "garden": "park", "playground": "park", "golf_course": "grass", "pitch": "pitch",
        "stadium": "pitch", "sports_centre": "pitch", "nature_reserve": "reserve",
      ]
    ),
    (
      "amenity",
      [
        "grave_yard": "cemetery", "school": "school", "university": "school", "college": "school",
        "kindergarten": "school", "hospital": "hospital", "parking": "parking",
      ]
    ),
    ("aeroway", ["aerodrome": "airfield", "apron": "parking"]),
    ("tourism", ["zoo": "park", "camp_site": "park"]),
    ("boundary", ["national_park": "reserve", "protected_area": "reserve"]),
    ("place", ["square": "square"]),
  ]
  /// `place` of points: the first zoom, and the rank, 1 for the most important.
  static let places: [String: (zoom: Int, rank: Int64)] = [
    "city": (4, 1), "town": (8, 2), "village": (10, 3), "island": (10, 4), "suburb": (11, 4),
    "borough": (11, 4), "quarter": (12, 5), "hamlet": (12, 6), "neighbourhood": (13, 7), "islet": (13, 7),
    "square": (14, 8), "isolated_dwelling": (14, 8), "locality": (14, 9),
  ]

  /// A kind of points with names.
  struct PointKind: Sendable {
    let kind: String
    let zoom: Int
    let rank: Int64
    init(_ kind: String, _ zoom: Int, _ rank: Int64) {
      self.kind = kind
      self.zoom = zoom
      self.rank = rank
    }
  }
  /// Points by key and value, in order of precedence.
  static let points: [(key: String, values: [String: PointKind])] = [
    (
      "railway",
      [
        "station": .init("station", 12, 1), "halt": .init("station", 12, 2),
        "tram_stop": .init("stop", 14, 5),
      ]
    ),
    ("highway", ["bus_stop": .init("stop", 14, 6)]),
    ("aeroway", ["aerodrome": .init("airport", 10, 1)]),
    ("natural", ["peak": .init("peak", 11, 3), "volcano": .init("peak", 10, 2)]),
    (
      "amenity",
      [
        "hospital": .init("hospital", 13, 2), "ferry_terminal": .init("ferry", 12, 2),
        "bus_station": .init("bus_station", 13, 2), "university": .init("school", 14, 4),
        "college": .init("school", 14, 4), "school": .init("school", 14, 4),
        "kindergarten": .init("school", 14, 6), "place_of_worship": .init("worship", 14, 5),
        "townhall": .init("townhall", 14, 4), "library": .init("library", 14, 5),
        "theatre": .init("theatre", 14, 5), "cinema": .init("cinema", 14, 6),
        "police": .init("police", 14, 5), "fire_station": .init("fire_station", 14, 5),
        "pharmacy": .init("pharmacy", 14, 6), "marketplace": .init("marketplace", 14, 5),
        "restaurant": .init("food", 14, 8), "cafe": .init("food", 14, 8), "bar": .init("food", 14, 8),
        "pub": .init("food", 14, 8), "fast_food": .init("food", 14, 8), "bank": .init("bank", 14, 7),
        "fuel": .init("fuel", 14, 7), "post_office": .init("post_office", 14, 7),
      ]
    ),
    (
      "tourism",
      [
        "museum": .init("sight", 14, 4), "attraction": .init("sight", 14, 4), "zoo": .init("sight", 14, 4),
        "viewpoint": .init("sight", 14, 5), "hotel": .init("hotel", 14, 7), "hostel": .init("hotel", 14, 7),
      ]
    ),
    ("historic", ["castle": .init("sight", 13, 3), "monument": .init("sight", 14, 4)]),
    (
      "leisure",
      [
        "park": .init("park", 13, 4), "nature_reserve": .init("park", 12, 4),
        "stadium": .init("park", 13, 4), "marina": .init("park", 14, 5),
      ]
    ),
  ]
  static let largeShop = PointKind("shop", 14, 5)
  static let shop = PointKind("shop", 14, 8)
  static let largeShops: Set<String> = ["supermarket", "mall", "department_store"]
  static let noShops: Set<String> = ["no", "vacant"]
}
