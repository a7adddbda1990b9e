/// The meaning of an OpenStreetMap key for the place search. Other keys are not used.
enum PlaceTag: Equatable {
  case name, otherName, brand
  case street, houseNumber, postcode, city
  /// A key that makes an element a place; an element without such a key is none.
  case category(Kind)

  /// The keys that categorise a place, the most specific first.
  enum Kind: UInt8, CaseIterable, Comparable {
    case amenity, shop, tourism, office, leisure, craft, healthcare, railway, aeroway
    case publicTransport, highway, place

    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

    var key: String {
      switch self {
      case .amenity: "amenity"
      case .shop: "shop"
      case .tourism: "tourism"
      case .office: "office"
      case .leisure: "leisure"
      case .craft: "craft"
      case .healthcare: "healthcare"
      case .railway: "railway"
      case .aeroway: "aeroway"
      case .publicTransport: "public_transport"
      case .highway: "highway"
      case .place: "place"
      }
    }

    /// True if a value names a destination: of railways only stops, of roads none that is for cars alone.
    func admits(_ value: String) -> Bool {
      switch self {
      case .railway: ["station", "halt", "tram_stop", "subway_entrance"].contains(value)
      case .publicTransport: value == "station"
      case .highway:
        ["bus_stop", "services", "rest_area"].contains(value) || Place.Category.streets.contains(value)
      case .place: StreetMerger.reaches[value] != nil || ["island", "islet", "square"].contains(value)
      case .aeroway: ["aerodrome", "heliport", "terminal"].contains(value)
      case .amenity, .shop, .tourism, .office, .leisure, .craft, .healthcare:
        !value.isEmpty && value != "no" && value != "vacant"
      }
    }
  }

  private static let keys: [String: PlaceTag] = {
    var keys: [String: PlaceTag] = [
      "name": .name, "brand": .brand, "addr:street": .street, "addr:place": .street,
      "addr:housenumber": .houseNumber, "addr:postcode": .postcode, "addr:city": .city,
      "name:en": .otherName, "int_name": .otherName, "alt_name": .otherName, "short_name": .otherName,
      "official_name": .otherName, "old_name": .otherName, "loc_name": .otherName, "operator": .otherName,
    ]
    for kind in Kind.allCases { keys[kind.key] = .category(kind) }
    return keys
  }()
  static let longestKey = 32

  init?(key: String) {
    guard let tag = Self.keys[key] else { return nil }
    self = tag
  }

  init?(_ key: ArraySlice<UInt8>) {
    guard key.count <= Self.longestKey else { return nil }
    self.init(key: String(decoding: key, as: UTF8.self))
  }
}
