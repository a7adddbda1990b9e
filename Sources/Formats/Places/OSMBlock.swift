/// One block of nodes, ways and relations of an .osm.pbf file, its strings located but not yet decoded.
struct OSMBlock {
  enum Failure: Error, Equatable {
    case message(ProtobufReader.Failure)
    /// An index of a string beyond the table.
    case stringIndex(UInt64, count: Int)
    /// Lists that belong together differ in length.
    case uneven
    /// A granularity outside 1 to 1,000,000,000 nanodegrees.
    case granularity(UInt64)
  }

  /// Nanodegrees per unit of a stored coordinate.
  private let granularity: Int64
  private let latitudeOffset: Int64
  private let longitudeOffset: Int64
  private let strings: [ProtobufReader]
  /// The role of each string as a key: 0 not looked up yet, 1 unused, from 2 on an index of `tags` plus 2.
  private var roles: [UInt8]
  private var tags: [PlaceTag] = []
  let groups: [ProtobufReader]

  init(_ bytes: [UInt8]) throws(Failure) {
    var strings: [ProtobufReader] = []
    var groups: [ProtobufReader] = []
    var scale: UInt64 = 100
    var offsets: (latitude: Int64, longitude: Int64) = (0, 0)
    do throws(ProtobufReader.Failure) {
      var message = ProtobufReader(bytes)
      while let field = try message.next() {
        switch (field.number, field.value) {
        case (1, .bytes(var table)):
          while let entry = try table.next() {
            if case (1, .bytes(let text)) = entry { strings.append(text) }
          }
        case (2, .bytes(let group)): groups.append(group)
        case (17, .varint(let number)): scale = number
        case (19, .varint(let number)): offsets.latitude = Int64(bitPattern: number)
        case (20, .varint(let number)): offsets.longitude = Int64(bitPattern: number)
        default: break
        }
      }
    } catch { throw .message(error) }
    guard (1...1_000_000_000).contains(scale) else { throw .granularity(scale) }
    granularity = Int64(scale)
    latitudeOffset = offsets.latitude
    longitudeOffset = offsets.longitude
    self.strings = strings
    self.groups = groups
    roles = [UInt8](repeating: 0, count: strings.count)
  }

  /// Converts stored numbers to degrees x 10^7; nil if they are out of range.
  func place(_ latitude: Int64, _ longitude: Int64) -> OSMPoint? {
    guard let latitude = units(latitude, latitudeOffset, within: 900_000_000),
      let longitude = units(longitude, longitudeOffset, within: 1_800_000_000)
    else { return nil }
    return OSMPoint(latitude: latitude, longitude: longitude)
  }

  private func units(_ stored: Int64, _ offset: Int64, within limit: Int64) -> Int32? {
    let (product, isTooLong) = stored.multipliedReportingOverflow(by: granularity)
    let (nanodegrees, isTooFar) = product.addingReportingOverflow(offset)
    guard !isTooLong, !isTooFar else { return nil }
    let units = nanodegrees / 100
    return units.magnitude <= limit.magnitude ? Int32(units) : nil
  }

  /// Returns the tag that a string means as a key; nil for an unused key.
  mutating func tag(_ index: UInt64) throws(Failure) -> PlaceTag? {
    guard index < UInt64(strings.count) else { throw .stringIndex(index, count: strings.count) }
    let role = roles[Int(index)]
    if role == 1 { return nil }
    if role > 1 { return tags[Int(role) - 2] }
    guard let tag = PlaceTag(strings[Int(index)].rest) else {
      roles[Int(index)] = 1
      return nil
    }
    // Tags beyond the first 250 (a table that repeats its keys) are not cached, which is only slower.
    if tags.count < 250 {
      tags.append(tag)
      roles[Int(index)] = UInt8(tags.count + 1)
    }
    return tag
  }

  func string(_ index: UInt64) throws(Failure) -> String {
    guard index < UInt64(strings.count) else { throw .stringIndex(index, count: strings.count) }
    return String(decoding: strings[Int(index)].rest, as: UTF8.self)
  }

  /// Returns the draft of an element with these tags; nil if it is no place.
  mutating func draft(
    keys: some Collection<UInt64>, values: some Collection<UInt64>
  ) throws(Failure) -> PlaceDraft? {
    guard keys.count == values.count else { throw .uneven }
    // Most elements have no category: return before a draft is made.
    var isCandidate = false
    for key in keys {
      if case .category = try tag(key) { isCandidate = true }
    }
    guard isCandidate else { return nil }
    var draft = PlaceDraft()
    for (key, value) in zip(keys, values) {
      guard let tag = try tag(key) else { continue }
      let text = try string(value)
      draft.add(tag, text)
    }
    return draft.isPlace() ? draft : nil
  }
}

/// A point of OpenStreetMap as it is stored there: degrees x 10^7.
struct OSMPoint: Hashable {
  let latitude: Int32
  let longitude: Int32
  var degrees: (latitude: Double, longitude: Double) { (Double(latitude) / 1e7, Double(longitude) / 1e7) }
}
