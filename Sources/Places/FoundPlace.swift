import Formats
import Geometry

/// A place found by a search.
public struct FoundPlace: Equatable, Sendable {
  public let place: Place
  /// The distance over the ellipsoid from the point of the search; nil without one.
  public let distance: Distance?

  public init(place: Place, distance: Distance?) {
    self.place = place
    self.distance = distance
  }
}

/// A page of results.
public struct PlacePage: Equatable, Sendable {
  public let items: [FoundPlace]
  /// True if there is another page.
  public let hasMore: Bool

  public init(items: [FoundPlace], hasMore: Bool) {
    self.items = items
    self.hasMore = hasMore
  }
}

/// Branches of one brand, or places of one name, to choose from (S204).
public struct PlaceGroup: Equatable, Sendable {
  public let title: String
  /// The branches in the order of the results; never empty.
  public let branches: [FoundPlace]

  /// Groups branches; each group has the position of its first branch.
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
