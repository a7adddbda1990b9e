/// Arrays of bytes, each once, in the order of their first insertion.
///
/// They are looked up by a hash in a type of dictionary that the page contains anyway: a set of byte arrays
/// would make the page larger.
struct DistinctBytes {
  private(set) var all: [[UInt8]] = []
  private var places: [ZoneID: Int32] = [:]

  /// Returns true if the bytes are new.
  mutating func insert(_ bytes: [UInt8]) -> Bool {
    var hash = StableHash()
    hash.combine(bytes)
    var name = hash.value
    while let place = places[ZoneID(rawValue: name)] {
      if all[Int(place)] == bytes { return false }
      // A collision: other bytes have the same hash.
      name &+= 1
    }
    places[ZoneID(rawValue: name)] = Int32(all.count)
    all.append(bytes)
    return true
  }
}
