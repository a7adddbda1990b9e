import Geometry

/// The tags of one element, collected for a place.
struct PlaceDraft {
  static let mostOtherNames = 8

  private(set) var name = ""
  private var otherNames: [String] = []
  private var brand = ""
  private var categories: [(kind: PlaceTag.Kind, category: Place.Category)] = []
  private var street = ""
  private var houseNumber = ""
  private var postcode = ""
  private var city = ""

  mutating func add(_ tag: PlaceTag, _ value: @autoclosure () -> String) {
    let text = PlaceText.cleaned(value())
    guard !text.isEmpty else { return }
    switch tag {
    case .name: name = text
    case .otherName: if otherNames.count < Self.mostOtherNames { otherNames.append(text) }
    case .brand: brand = text
    case .street: street = text
    case .houseNumber: houseNumber = text
    case .postcode: postcode = text
    case .city: city = text
    case .category(let kind):
      // Several values of one key are separated by semicolons; the first is the main one.
      let first = text.prefix { $0 != ";" }
      let value = String(first.suffix(from: first.firstIndex { $0 != " " } ?? first.startIndex))
      if kind.admits(value) {
        categories.append((kind, Place.Category(key: kind.key, value: value)))
      }
    }
  }

  /// True if there is a name or brand, and a category; `otherwise` is used if the tags give no category.
  func isPlace(otherwise: Place.Category? = nil) -> Bool {
    !(name.isEmpty && brand.isEmpty) && (!categories.isEmpty || otherwise != nil)
  }

  /// True if it is a part of a street, and nothing else to search for.
  var isStreet: Bool { !name.isEmpty && !categories.isEmpty && categories.allSatisfy(\.category.isStreet) }

  /// Returns the place; nil if it is none.
  /// - Parameter area: the town or quarter, used if the tags name no city.
  func place(
    id: String, at coordinate: Coordinate, otherwise: Place.Category? = nil, in area: String? = nil
  ) -> Place? {
    guard isPlace(otherwise: otherwise), !id.isEmpty else { return nil }
    var kinds = categories.sorted { $0.kind < $1.kind }.map(\.category)
    if kinds.isEmpty, let otherwise { kinds = [otherwise] }
    return Place(
      id: id, name: name, otherNames: otherNames, brand: brand, categories: kinds, coordinate: coordinate,
      address: Place.Address(
        street: street, houseNumber: houseNumber, postcode: postcode, city: city.isEmpty ? area ?? "" : city))
  }
}
