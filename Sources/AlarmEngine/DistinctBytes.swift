/// Rows of bytes, each once, in the order in which they came.
///
/// Found by a number made of them in a table of a kind that there is anyway: a set of bytes would make the page larger.
struct DistinctBytes {
  private(set) var all: [[UInt8]] = []
  private var places: [ZoneID: Int32] = [:]

  /// True if they are new.
  mutating func insert(_ bytes: [UInt8]) -> Bool {
    var hash = StableHash()
    hash.combine(bytes)
    var name = hash.value
    while let place = places[ZoneID(rawValue: name)] {
      if all[Int(place)] == bytes { return false }
      // Others by chance have the same number.
      name &+= 1
    }
    places[ZoneID(rawValue: name)] = Int32(all.count)
    all.append(bytes)
    return true
  }
}
