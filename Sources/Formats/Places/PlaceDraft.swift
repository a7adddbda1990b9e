import Geometry

/// The tags of one element on their way to a place.
struct PlaceDraft {
  /// Unicode scalars of a text that are kept; OpenStreetMap allows 255.
  static let longestText = 255
  static let mostOtherNames = 8

  private var name = ""
  private var otherNames: [String] = []
  private var brand = ""
  private var categories: [(kind: PlaceTag.Kind, category: Place.Category)] = []
  private var street = ""
  private var houseNumber = ""
  private var postcode = ""
  private var city = ""

  mutating func add(_ tag: PlaceTag, _ value: @autoclosure () -> String) {
    let text = Self.cleaned(value())
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
      // Several values of one key are parted by semicolons; the first is the main one.
      let first = text.prefix { $0 != ";" }
      let value = String(first.suffix(from: first.firstIndex { $0 != " " } ?? first.startIndex))
      if kind.admits(value) {
        categories.append((kind, Place.Category(key: kind.key, value: value)))
      }
    }
  }

  /// Whether there is a name and something that it is; `otherwise` stands in for the latter.
  func isPlace(otherwise: Place.Category? = nil) -> Bool {
    !(name.isEmpty && brand.isEmpty) && (!categories.isEmpty || otherwise != nil)
  }

  /// Nil for what is no place.
  func place(id: String, at coordinate: Coordinate, otherwise: Place.Category? = nil) -> Place? {
    guard isPlace(otherwise: otherwise), !id.isEmpty else { return nil }
    var kinds = categories.sorted { $0.kind < $1.kind }.map(\.category)
    if kinds.isEmpty, let otherwise { kinds = [otherwise] }
    return Place(
      id: id, name: name, otherNames: otherNames, brand: brand, categories: kinds, coordinate: coordinate,
      address: Place.Address(street: street, houseNumber: houseNumber, postcode: postcode, city: city))
  }

  /// Without control characters, without blanks at the ends, and of bounded length.
  static func cleaned(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    var count = 0
    var blanks = 0
    for scalar in text.unicodeScalars {
      if scalar.value <= 0x20 || (0x7f...0x9f).contains(scalar.value) {
        blanks += 1
        continue
      }
      if blanks > 0, count > 0 {
        scalars.append(" ")
        count += 1
      }
      blanks = 0
      guard count < longestText else { break }
      scalars.append(scalar)
      count += 1
    }
    return String(scalars)
  }
}
