/// Writes PMTiles archives of invented streets, for readers of them.
public struct StreetFile {
  public struct Feature {
    /// 1 points, 2 lines, 3 areas.
    public let shape: UInt64
    /// In 4096ths of the tile.
    public let places: [(Int, Int)]
    public let tags: [(String, String)]
    public init(_ shape: UInt64, _ places: [(Int, Int)], _ tags: [(String, String)] = []) {
      (self.shape, self.places, self.tags) = (shape, places, tags)
    }
  }
  public struct Tile {
    public let number: UInt64
    public let bytes: [UInt8]
    public init(number: UInt64, bytes: [UInt8]) { (self.number, self.bytes) = (number, bytes) }
  }

  public init() {}

  public static func tile(_ layers: [(name: String, features: [Feature])]) -> [UInt8] {
    layers.flatMap { field(3, layer($0.name, $0.features)) }
  }

  /// - Parameters:
  ///   - tiles: by number, ascending.
  ///   - leaves: true if the root leads to one further directory.
  public static func archive(_ tiles: [Tile], zooms: ClosedRange<UInt8>, leaves: Bool = false) -> [UInt8] {
    var directory = varint(UInt64(tiles.count))
    var before: UInt64 = 0
    for tile in tiles {
      directory += varint(tile.number - before)
      before = tile.number
    }
    for _ in tiles { directory += varint(1) }
    for tile in tiles { directory += varint(UInt64(tile.bytes.count)) }
    for index in tiles.indices { directory += varint(index == 0 ? 1 : 0) }
    let root =
      leaves
      ? varint(1) + varint(tiles[0].number) + varint(0) + varint(UInt64(directory.count)) + varint(1)
      : directory
    let metadata = Array(#"{"attribution":"<a href='x'>© Surveyors</a>"}"#.utf8)
    let parts = [root, metadata, leaves ? directory : [], tiles.flatMap(\.bytes)]
    var head = [UInt8](repeating: 0, count: 127)
    head.replaceSubrange(0..<8, with: Array("PMTiles".utf8) + [3])
    var at = 127
    for (index, part) in parts.enumerated() {
      for (place, value) in [(8 + 16 * index, at), (16 + 16 * index, part.count)] {
        for byte in 0..<8 { head[place + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
      }
      at += part.count
    }
    head.replaceSubrange(97..<102, with: [1, 1, 1, zooms.lowerBound, zooms.upperBound])
    return head + parts.joined()
  }

  private static func layer(_ name: String, _ features: [Feature]) -> [UInt8] {
    let keys = Array(Set(features.flatMap { $0.tags.map(\.0) })).sorted()
    let values = Array(Set(features.flatMap { $0.tags.map(\.1) })).sorted()
    var bytes = field(1, Array(name.utf8))
    for feature in features {
      let tags = feature.tags.flatMap { key, value in
        varint(UInt64(keys.firstIndex(of: key)!)) + varint(UInt64(values.firstIndex(of: value)!))
      }
      bytes += field(2, field(2, tags) + varint(24) + varint(feature.shape) + field(4, commands(feature)))
    }
    for key in keys { bytes += field(3, Array(key.utf8)) }
    for value in values { bytes += field(4, field(1, Array(value.utf8))) }
    return bytes + varint(40) + varint(4096) + varint(120) + varint(2)
  }

  private static func commands(_ feature: Feature) -> [UInt8] {
    var at = (0, 0)
    func step(_ place: (Int, Int)) -> [UInt8] {
      defer { at = place }
      return varint(zigzag(place.0 - at.0)) + varint(zigzag(place.1 - at.1))
    }
    var bytes = varint(9) + step(feature.places[0])
    if feature.places.count > 1 {
      bytes += varint(UInt64((feature.places.count - 1) * 8 + 2))
      for place in feature.places.dropFirst() { bytes += step(place) }
    }
    return feature.shape == 3 ? bytes + varint(15) : bytes
  }

  private static func zigzag(_ value: Int) -> UInt64 { UInt64(value < 0 ? -2 * value - 1 : 2 * value) }
  private static func field(_ number: UInt64, _ bytes: [UInt8]) -> [UInt8] {
    varint(number << 3 | 2) + varint(UInt64(bytes.count)) + bytes
  }
  private static func varint(_ value: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }
}
