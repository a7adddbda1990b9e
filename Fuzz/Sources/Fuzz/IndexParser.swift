import Geometry

extension Parser {
  /// Reads the bytes as zones and places near one another. The index must give the same results as a plain
  /// loop over the zones: built with its default and with a coarse grid, and after edits that remove a zone
  /// and insert it again.
  @Sendable static func index(_ bytes: [UInt8]) {
    var reader = ShapeReader(bytes)
    var entries: [OutlineIndex.Entry] = []
    for _ in 0..<8 { if let entry = reader.entry() { entries.append(entry) } }
    guard let first = entries.first else { return }
    var places = reader.seen
    for _ in 0..<24 { places.append(reader.place()) }
    // With many zones, an edit of a few puts these into a layer of their own.
    entries += bystanders
    let inside = places.map { zones(of: entries, containing: $0) }
    let whole = ContainmentIndex(entries)
    compare(whole, inside, places)
    compare(ContainmentIndex(entries, density: 0.1), inside, places)
    checkDistances(first, places)

    let fewer = entries.count - 1
    let moved = inside.map { $0.compactMap { $0 == 0 ? nil : $0 - 1 } }
    let taken = ContainmentIndex(editing: whole, by: ListEdit(removed: [0], inserted: []), [])
    compare(taken, moved, places)
    let back = ContainmentIndex(
      editing: taken, by: ListEdit(removed: [], inserted: [fewer]), [first])
    let last = zip(inside, moved).map { $0.first == 0 ? $1 + [fewer] : $1 }
    compare(back, last, places)
  }

  /// Equal small circles, all at one place.
  private static let bystanders = [OutlineIndex.Entry](
    repeating: OutlineIndex.Entry(
      outline: Outline(
        .circle(
          center: Coordinate(latitude: .degrees(77.7), longitude: .degrees(20)), radius: .metres(10)))),
    count: 120)

  /// Returns the zones that contain a place, by a plain loop.
  private static func zones(of entries: [OutlineIndex.Entry], containing place: Coordinate) -> [Int] {
    let isFar = abs(place.latitude.degrees - 77.7) > 0.01
    return entries.indices.filter { number in
      if isFar, number >= entries.count - bystanders.count { return false }
      return entries[number].outline.signedDistance(from: place) + entries[number].inset <= .zero
    }
  }

  private static func compare(_ index: ContainmentIndex, _ inside: [[Int]], _ places: [Coordinate]) {
    var hits = ContainmentIndex.Hits()
    index.containing(places, into: &hits)
    for (number, place) in places.enumerated() {
      precondition(Array(hits[number]) == inside[number], "the index and the plain loop differ")
      precondition(index.containing(place) == inside[number], "one and many differ")
    }
  }

  /// Checks that between two places a signed distance changes by no more than their distance, so that its
  /// sign is nowhere wrong.
  private static func checkDistances(_ entry: OutlineIndex.Entry, _ places: [Coordinate]) {
    let distances = places.map { entry.outline.signedDistance(from: $0).metres }
    for (a, b) in zip(places.indices, places.indices.dropFirst()) {
      let moved = places[a].distance(to: places[b]).metres
      precondition(
        abs(distances[a] - distances[b]) <= moved + 0.002, "a distance changes by more than the place")
    }
  }
}

/// Makes shapes from any bytes, all around one place, so that they intersect.
private struct ShapeReader {
  private var bytes: ArraySlice<UInt8>
  private let latitude: Double
  private let longitude: Double
  private let scale: Double
  /// Every vertex and centre that was read.
  private(set) var seen: [Coordinate] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes[...]
    let head = bytes.prefix(4) + Array(repeating: 0, count: 4)
    latitude = [0, 47.5, 89.99, -89.99, 66, -33, 90, 12][Int(head[0] & 7)]
    longitude = [0, 11, 179.999, -180, 180, 100, -60, 77][Int(head[1] & 7)]
    scale = [1e-9, 1e-7, 1e-5, 1e-3, 0.1, 3][Int(head[2]) % 6]
    self.bytes = self.bytes.dropFirst(3)
  }

  private mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }
  private mutating func number() -> Double { Double(Int8(bitPattern: byte())) }

  mutating func place() -> Coordinate {
    // Small steps make equal coordinates likely.
    let (north, east) = (number() * scale, number() * scale)
    return Coordinate(
      latitude: .degrees(max(-90, min(90, latitude + north))), longitude: .degrees(longitude + east))
  }

  mutating func entry() -> OutlineIndex.Entry? {
    let kind = byte()
    let size = Double(byte()) * scale * 50_000
    let inset = kind & 0x80 == 0 ? 0 : number() / 128 * size
    let places = (0..<Int(kind >> 2 & 7) + 1).map { _ in place() }
    seen += places
    let shape: Shape
    switch kind & 3 {
    case 0: shape = .circle(center: places[0], radius: .metres(min(size, 2e7)))
    case 1: shape = .corridor(path: places + [place()], halfWidth: .metres(min(size, 1e6)), edges: .geodesic)
    default:
      guard let ring = try? Ring(places) else { return nil }
      let hole = (0..<4).map { _ in place() }
      let holes = kind & 0x40 != 0 ? [try? Ring(hole)].compactMap { $0 } : []
      shape = .polygon(
        Polygon(parts: [.init(outer: ring, holes: holes)], edges: kind & 3 == 2 ? .geodesic : .lonLat))
    }
    return OutlineIndex.Entry(outline: Outline(shape), inset: .metres(max(-1e6, min(1e6, inset))))
  }
}
