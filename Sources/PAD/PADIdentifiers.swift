import AlarmEngine
import Geometry

/// Gives every zone of a file an id of its own, the same in every run.
public struct PADIdentifiers: Sendable {
  private var taken: Set<UInt64> = []
  /// The number of zones that had the same derived id before it was made unique.
  private var occurrences: [UInt64: UInt64] = [:]

  public init() {}

  /// - Parameter stated: the id that the file gives.
  /// - Returns: `stated` if it is still free; else an id derived from `name`, `places` and the number of
  ///   equal ones before.
  public mutating func id(stated: ZoneID?, name: Text, places: [Coordinate]) -> ZoneID {
    if let stated, taken.insert(stated.rawValue).inserted { return stated }
    var bytes = name.utf8
    bytes.append(0)
    for place in places {
      append(place.latitude.degrees.bitPattern, to: &bytes)
      append(place.longitude.degrees.bitPattern, to: &bytes)
    }
    return unique(bytes)
  }

  /// An id derived from any words, such as another program's id.
  public mutating func id(from words: Text) -> ZoneID { unique(words.utf8) }

  private mutating func unique(_ bytes: [UInt8]) -> ZoneID {
    var id = ZoneID.derived(from: bytes)
    var occurrence: UInt64 = 1
    if let seen = occurrences[id.rawValue] { occurrence = seen + 1 }
    let base = id.rawValue
    while true {
      if occurrence > 1 {
        var salted: [UInt8] = []
        append(base, to: &salted)
        append(occurrence, to: &salted)
        id = ZoneID.derived(from: salted)
      }
      if taken.insert(id.rawValue).inserted { break }
      occurrence += 1
    }
    occurrences[base] = occurrence
    return id
  }

  private func append(_ word: UInt64, to bytes: inout [UInt8]) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: word >> shift))
    }
  }
}
