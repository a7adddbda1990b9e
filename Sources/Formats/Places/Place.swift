import Geometry

/// Somewhere with a name that people go to: a shop, a station, a street, a town (S203).
public struct Place: Equatable, Sendable {
  /// The id: "node/26864258" for a place of OpenStreetMap, else the one derived from the file; never empty.
  public let id: String
  /// The name; empty if only the brand is known.
  public let name: String
  /// Names in other languages, short and old names.
  public let otherNames: [String]
  /// The chain's name; empty for a place that belongs to none.
  public let brand: String
  /// The categories, the most specific first; never empty.
  public let categories: [Category]
  public let coordinate: Coordinate
  public let address: Address

  /// A tag of OpenStreetMap, or the word of another file under the key "category".
  public struct Category: Hashable, Sendable {
    public let key: String
    public let value: String

    public init(key: String, value: String) {
      self.key = key
      self.value = value
    }

    /// "shop=bakery"
    public var tag: String { "\(key)=\(value)" }
    /// For people: "bakery", "fast food"; "shop" for `shop=yes`, "street" for `highway=residential`.
    public var word: String {
      isStreet ? "street" : (value == "yes" ? key : value).replacing("_", with: " ")
    }
    var isStreet: Bool { key == "highway" && Self.streets.contains(value) }

    /// Values of `highway` that are streets and ways with houses or walkers.
    static let streets: Set = [
      "trunk", "primary", "secondary", "tertiary", "unclassified", "residential", "living_street",
      "pedestrian",
      "road", "service", "track", "footway", "path", "steps", "cycleway", "bridleway",
    ]
  }

  /// A postal address; unknown parts are empty.
  public struct Address: Hashable, Sendable {
    public let street: String
    public let houseNumber: String
    public let postcode: String
    public let city: String

    public init(street: String = "", houseNumber: String = "", postcode: String = "", city: String = "") {
      self.street = street
      self.houseNumber = houseNumber
      self.postcode = postcode
      self.city = city
    }
  }

  /// - Precondition: there is an id, a name or a brand, and a category.
  public init(
    id: String, name: String, otherNames: [String] = [], brand: String = "", categories: [Category],
    coordinate: Coordinate, address: Address = Address()
  ) {
    precondition(
      !id.isEmpty && !(name.isEmpty && brand.isEmpty) && !categories.isEmpty, "a place is something")
    self.id = id
    self.name = name
    self.otherNames = otherNames
    self.brand = brand
    self.categories = categories
    self.coordinate = coordinate
    self.address = address
  }

  /// The name, or the brand if there is no name.
  public var title: String { name.isEmpty ? brand : name }
}
