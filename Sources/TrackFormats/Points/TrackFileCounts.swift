import ZoneFormats

/// The parts of a track that are left out, by kind, for a host that has words of its own.
package struct TrackFileCounts: Equatable, Sendable {
  package enum Kind: Sendable {
    /// Points without a time that can be read.
    case untimed
    /// Points whose latitude is missing or impossible.
    case latitude
    /// The same of the longitude.
    case longitude
    /// Anything else that is damaged.
    case other
  }
  package private(set) var untimed = 0
  package private(set) var latitudes = 0
  package private(set) var longitudes = 0
  package private(set) var others = 0
  /// The first of the kinds `latitude` and `longitude`.
  package private(set) var firstImpossible: Kind?

  package var impossible: Int { latitudes + longitudes }

  mutating func add(_ kind: Kind, _ count: Int) {
    switch kind {
    case .untimed: untimed += count
    case .latitude:
      latitudes += count
      firstImpossible = firstImpossible ?? kind
    case .longitude:
      longitudes += count
      firstImpossible = firstImpossible ?? kind
    case .other: others += count
    }
  }
}
