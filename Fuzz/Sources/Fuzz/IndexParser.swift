import Geometry

extension Parser {
  /// The bytes are zones and places, near one another; the index must answer as a plain loop over the zones does, built at
  /// once and built by edits.
  @Sendable static func index(_ bytes: [UInt8]) {
    var reader = ShapeReader(bytes)
    var entries: [ZoneIndex.Entry] = []
    for _ in 0..<8 { if let entry = reader.entry() { entries.append(entry) } }
    guard !entries.isEmpty else { return }
    let whole = ZoneIndex(entries)
    var places = reader.seen
    for _ in 0..<24 { places.append(reader.place()) }
    compare(whole, entries, places)

    // The first zone moves to the end and another takes its place: what was laid out is used again.
    var edited = Array(entries.dropFirst())
    edited.append(entries[0])
    var unchanged = (1..<Int32(entries.count)).map { $0 }
    unchanged.append(-1)
    compare(ZoneIndex(edited, replacing: whole, unchanged: unchanged), edited, places)
  }

  private static func compare(_ index: ZoneIndex, _ entries: [ZoneIndex.Entry], _ places: [Coordinate]) {
    var hits = ZoneIndex.Hits()
    index.containing(places, into: &hits)
    for (number, place) in places.enumerated() {
      let inside = entries.indices.filter {
        entries[$0].outline.signedDistance(from: place) + entries[$0].inset <= .zero
      }
      precondition(Array(hits[number]) == inside, "the index and the plain loop differ")
      precondition(index.containing(place) == inside, "one and many differ")
    }
  }
}

/// Makes shapes of any bytes, about one place, so that they meet.
private struct ShapeReader {
  private var bytes: ArraySlice<UInt8>
  private let latitude: Double
  private let longitude: Double
  private let scale: Double
  /// Every vertex and centre.
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

  mutating func entry() -> ZoneIndex.Entry? {
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
    return ZoneIndex.Entry(outline: Outline(shape), inset: .metres(max(-1e6, min(1e6, inset))))
  }
}
