import Formats
import Geometry

/// A place that was looked for.
public struct FoundPlace: Equatable, Sendable {
  public let place: Place
  /// Over the ellipsoid, from where it was looked for; nil where no nearness was asked for.
  public let distance: Distance?

  public init(place: Place, distance: Distance?) {
    self.place = place
    self.distance = distance
  }
}

/// A page of what was found.
public struct PlacePage: Equatable, Sendable {
  public let items: [FoundPlace]
  /// Whether there is another page.
  public let hasMore: Bool

  public init(items: [FoundPlace], hasMore: Bool) {
    self.items = items
    self.hasMore = hasMore
  }
}

/// Branches of one brand, or places of one name, to choose from (S204).
public struct PlaceGroup: Equatable, Sendable {
  public let title: String
  /// In the order in which they were found; never empty.
  public let branches: [FoundPlace]

  /// Puts branches together, each group where its first branch was.
  public static func groups(of places: [FoundPlace]) -> [PlaceGroup] {
    var order: [String] = []
    var members: [String: [FoundPlace]] = [:]
    for found in places {
      let title = found.place.brand.isEmpty ? found.place.name : found.place.brand
      let key = title.lowercased()
      if members[key] == nil { order.append(key) }
      members[key, default: []].append(found)
    }
    return order.compactMap { key in
      guard let branches = members[key], let first = branches.first else { return nil }
      return PlaceGroup(
        title: first.place.brand.isEmpty ? first.place.name : first.place.brand, branches: branches)
    }
  }
}
