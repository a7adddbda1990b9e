/// Writes .osm.pbf files of invented data, for readers of them.
public struct OSMFile {
  public typealias Tags = [(String, String)]

  public struct Node {
    public let id: Int64
    public let latitude: Double
    public let longitude: Double
    public let tags: Tags
    public init(_ id: Int64, _ latitude: Double, _ longitude: Double, _ tags: Tags = []) {
      (self.id, self.latitude, self.longitude, self.tags) = (id, latitude, longitude, tags)
    }
  }

  public struct Way {
    public let id: Int64
    public let nodes: [Int64]
    public let tags: Tags
    public init(_ id: Int64, _ nodes: [Int64], _ tags: Tags) {
      (self.id, self.nodes, self.tags) = (id, nodes, tags)
    }
  }

  public enum Packing: Sendable {
    case raw
    /// zlib with nothing compressed.
    case stored
  }

  public var packing = Packing.stored
  /// False to write nodes one by one, as few programs do.
  public var isDense = true
  public var granularity: Int64 = 100
  public var features = ["OsmSchema-V0.6", "DenseNodes"]
  public private(set) var bytes: [UInt8] = []

  public init() {}

  /// Adds the block that every file begins with.
  public mutating func addHeader() {
    add("OSMHeader", features.reduce(into: Message()) { $0.add(4, Array($1.utf8)) }.bytes)
  }

  public mutating func addBlock(nodes: [Node] = [], ways: [Way] = [], relations: [(Int64, Tags)] = []) {
    var strings: [String] = [""]
    var numbers: [String: UInt64] = ["": 0]
    func number(_ text: String) -> UInt64 {
      if let known = numbers[text] { return known }
      numbers[text] = UInt64(strings.count)
      strings.append(text)
      return UInt64(strings.count - 1)
    }
    var group = Message()
    if isDense, !nodes.isEmpty {
      var dense = Message()
      dense.add(1, Self.deltas(nodes.map(\.id)))
      dense.add(8, Self.deltas(nodes.map { units($0.latitude) }))
      dense.add(9, Self.deltas(nodes.map { units($0.longitude) }))
      if nodes.contains(where: { !$0.tags.isEmpty }) {
        dense.add(10, Self.packed(nodes.flatMap { $0.tags.flatMap { [number($0.0), number($0.1)] } + [0] }))
      }
      group.add(2, dense.bytes)
    } else {
      for node in nodes {
        var message = Message()
        message.add(1, varint: Self.zigzag(node.id))
        message.add(2, Self.packed(node.tags.map { number($0.0) }))
        message.add(3, Self.packed(node.tags.map { number($0.1) }))
        message.add(8, varint: Self.zigzag(units(node.latitude)))
        message.add(9, varint: Self.zigzag(units(node.longitude)))
        group.add(1, message.bytes)
      }
    }
    for way in ways {
      group.add(3, Self.element(way.id, way.tags.map { (number($0.0), number($0.1)) }, nodes: way.nodes))
    }
    for (id, tags) in relations {
      group.add(4, Self.element(id, tags.map { (number($0.0), number($0.1)) }, nodes: []))
    }
    var block = Message()
    block.add(1, strings.reduce(into: Message()) { $0.add(1, Array($1.utf8)) }.bytes)
    block.add(2, group.bytes)
    if granularity != 100 { block.add(17, varint: UInt64(granularity)) }
    add("OSMData", block.bytes)
  }

  /// Adds any blob.
  public mutating func add(_ type: String, _ content: [UInt8]) {
    var blob = Message()
    switch packing {
    case .raw: blob.add(1, content)
    case .stored:
      blob.add(2, varint: UInt64(content.count))
      blob.add(3, Self.zlib(content))
    }
    var header = Message()
    header.add(1, Array(type.utf8))
    header.add(3, varint: UInt64(blob.bytes.count))
    bytes += (0..<4).map { UInt8(truncatingIfNeeded: header.bytes.count >> (24 - 8 * $0)) }
    bytes += header.bytes + blob.bytes
  }

  private func units(_ degrees: Double) -> Int64 { Int64((degrees * 1e9 / Double(granularity)).rounded()) }

  private static func element(_ id: Int64, _ tags: [(UInt64, UInt64)], nodes: [Int64]) -> [UInt8] {
    var message = Message()
    message.add(1, varint: UInt64(bitPattern: id))
    message.add(2, packed(tags.map(\.0)))
    message.add(3, packed(tags.map(\.1)))
    if !nodes.isEmpty { message.add(8, deltas(nodes)) }
    return message.bytes
  }

  private static func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: value << 1 ^ value >> 63) }

  private static func packed(_ values: [UInt64]) -> [UInt8] {
    var list = Message()
    for value in values { list.append(varint: value) }
    return list.bytes
  }

  private static func deltas(_ values: [Int64]) -> [UInt8] {
    packed(zip(values, [0] + values).map { zigzag($0 - $1) })
  }

  /// RFC 1950 around stored blocks of RFC 1951.
  private static func zlib(_ content: [UInt8]) -> [UInt8] {
    var out: [UInt8] = [0x78, 0x01]
    var start = 0
    repeat {
      let end = min(content.count, start + 65_535)
      let length = UInt16(end - start)
      out.append(end == content.count ? 1 : 0)
      for part in [length, ~length] { out += [UInt8(part & 0xff), UInt8(part >> 8)] }
      out += content[start..<end]
      start = end
    } while start < content.count
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in content {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return out + [b >> 8, b & 0xff, a >> 8, a & 0xff].map { UInt8($0) }
  }

  private struct Message {
    var bytes: [UInt8] = []

    mutating func append(varint value: UInt64) {
      var value = value
      while value >= 0x80 {
        bytes.append(UInt8(value & 0x7f) | 0x80)
        value >>= 7
      }
      bytes.append(UInt8(value))
    }
    mutating func add(_ field: UInt64, varint value: UInt64) {
      append(varint: field << 3)
      append(varint: value)
    }
    mutating func add(_ field: UInt64, _ content: [UInt8]) {
      append(varint: field << 3 | 2)
      append(varint: UInt64(content.count))
      bytes += content
    }
  }
}
