/// Answers for many zones at once: which contain a fix, which are near.
///
/// A zone is an outline with an inset; its effective distance is `signedDistance + inset`, and a fix is inside
/// when that is zero or less. Zones are named by their position in the array the index was built from.
/// Built once, immutable, shareable between threads.
public struct ZoneIndex: Sendable {
  public struct Entry: Sendable {
    public let outline: Outline
    /// Positive shrinks, negative grows.
    public let inset: Distance
    public init(outline: Outline, inset: Distance = .zero) {
      self.outline = outline
      self.inset = inset
    }
  }
  public struct Neighbour: Equatable, Sendable {
    public let zone: Int
    /// Effective distance, negative inside.
    public let distance: Distance
    public init(zone: Int, distance: Distance) {
      self.zone = zone
      self.distance = distance
    }
  }

  public let entries: [Entry]
  public init(_ entries: [Entry]) { self.entries = entries }
  public var count: Int { entries.count }

  /// The zones that contain `p`, ascending.
  public func containing(_ p: Coordinate) -> [Int] {
    entries.indices.filter { distance(from: p, to: $0) <= .zero }
  }
  /// The zones whose effective distance is at most `radius`, ascending by zone.
  public func within(_ radius: Distance, of p: Coordinate) -> [Neighbour] {
    entries.indices.map { Neighbour(zone: $0, distance: distance(from: p, to: $0)) }
      .filter { $0.distance <= radius }
  }
  /// The `k` zones of least effective distance, nearest first, equal distances by zone.
  public func nearest(_ k: Int, to p: Coordinate) -> [Neighbour] {
    Array(
      entries.indices.map { Neighbour(zone: $0, distance: distance(from: p, to: $0)) }
        .sorted { ($0.distance, $0.zone) < ($1.distance, $1.zone) }.prefix(k))
  }
  /// The effective distance to one zone.
  public func distance(from p: Coordinate, to zone: Int) -> Distance {
    entries[zone].outline.signedDistance(from: p) + entries[zone].inset
  }
}
