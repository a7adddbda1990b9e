import Formats

/// One untrusted tile of the map (Mapbox Vector Tile, version 2).
///
/// https://github.com/mapbox/vector-tile-spec/tree/master/2.1
public struct VectorTile: Sendable {
  public enum Failure: Error, Equatable, Sendable {
    case notATile
    /// A geometry with a command that is not allowed, or one that ends within a command.
    case geometry
    /// A feature that names a key or value its layer does not have.
    case attribute
    case tooMuch
  }

  public enum Value: Equatable, Sendable {
    case text(String)
    case whole(Int64)
    /// Numbers with a fraction, which our tiles do not have.
    case other
  }

  public enum Shape: UInt64, Sendable { case unknown, point, line, area }

  public struct Point: Equatable, Sendable {
    public var x: Int
    public var y: Int
  }

  public struct Feature: Sendable {
    public let shape: Shape
    public let attributes: [String: Value]
    /// Coordinates from the tile's north-western corner, `extent` to a side. An area's closing point is left
    /// out.
    public let lines: [[Point]]

    public func text(_ key: String) -> String? {
      if case .text(let text) = attributes[key] { text } else { nil }
    }
  }

  public struct Layer: Sendable {
    public let name: String
    public let extent: Int
    public let features: [Feature]
  }

  public let layers: [Layer]

  private static let mostLayers = 100
  private static let mostFeatures = 200_000
  private static let mostAttributes = 64

  /// - Parameter wanted: the layers to read; others are skipped.
  public init(_ bytes: [UInt8], layers wanted: Set<String>? = nil) throws(Failure) {
    var layers: [Layer] = []
    do {
      var reader = ProtobufReader(bytes)
      while let (number, value) = try reader.next() {
        guard number == 3 else { continue }
        guard case .bytes(let message) = value else { throw Failure.notATile }
        guard layers.count < Self.mostLayers else { throw Failure.tooMuch }
        if let layer = try Self.layer(message, wanted) { layers.append(layer) }
      }
    } catch let failure as Failure { throw failure } catch { throw .notATile }
    self.layers = layers
  }

  private static func layer(_ message: ProtobufReader, _ wanted: Set<String>?) throws -> Layer? {
    var name = ""
    var extent: UInt64 = 4096
    var keys: [String] = []
    var values: [Value] = []
    var features: [ProtobufReader] = []
    var reader = message
    while let (number, field) = try reader.next() {
      switch (number, field) {
      case (1, .bytes(let text)): name = String(decoding: text.rest, as: UTF8.self)
      case (2, .bytes(let feature)): features.append(feature)
      case (3, .bytes(let key)): keys.append(String(decoding: key.rest, as: UTF8.self))
      case (4, .bytes(let message)): values.append(try value(message))
      case (5, .varint(let number)): extent = number
      case (1...5, _): throw Failure.notATile
      default: break
      }
    }
    if let wanted, !wanted.contains(name) { return nil }
    guard (1...65_536).contains(extent) else { throw Failure.notATile }
    guard features.count <= mostFeatures else { throw Failure.tooMuch }
    return Layer(
      name: name, extent: Int(extent), features: try features.map { try feature($0, keys, values) })
  }

  private static func value(_ message: ProtobufReader) throws -> Value {
    var reader = message
    var value = Value.other
    while let (number, field) = try reader.next() {
      switch (number, field) {
      case (1, .bytes(let text)): value = .text(String(decoding: text.rest, as: UTF8.self))
      case (4, .varint(let whole)), (5, .varint(let whole)), (7, .varint(let whole)):
        value = .whole(Int64(bitPattern: whole))
      case (6, .varint(let whole)): value = .whole(ProtobufReader.signed(whole))
      default: break
      }
    }
    return value
  }

  private static func feature(_ message: ProtobufReader, _ keys: [String], _ values: [Value]) throws
    -> Feature
  {
    var tags: [UInt64] = []
    var commands: [UInt64] = []
    var shape = Shape.unknown
    var reader = message
    while let (number, field) = try reader.next() {
      switch number {
      case 2: try field.append(to: &tags)
      case 3:
        guard case .varint(let raw) = field, let known = Shape(rawValue: raw) else { throw Failure.notATile }
        shape = known
      case 4: try field.append(to: &commands)
      default: break
      }
    }
    guard tags.count.isMultiple(of: 2), tags.count <= 2 * mostAttributes else { throw Failure.attribute }
    var attributes: [String: Value] = [:]
    for index in stride(from: 0, to: tags.count, by: 2) {
      guard tags[index] < UInt64(keys.count), tags[index + 1] < UInt64(values.count) else {
        throw Failure.attribute
      }
      attributes[keys[Int(tags[index])]] = values[Int(tags[index + 1])]
    }
    return Feature(shape: shape, attributes: attributes, lines: try lines(commands))
  }

  private static func lines(_ commands: [UInt64]) throws -> [[Point]] {
    /// The largest coordinate: nothing is drawn farther from a tile, and sums cannot overflow.
    let farthest: Int64 = 1 << 24
    var lines: [[Point]] = []
    var line: [Point] = []
    var at: (x: Int64, y: Int64) = (0, 0)
    var index = 0
    while index < commands.count {
      let command = commands[index]
      index += 1
      let count = command >> 3
      switch command & 7 {
      case 1, 2:
        guard count > 0, count <= UInt64((commands.count - index) / 2) else { throw Failure.geometry }
        guard command & 7 == 1 || !line.isEmpty else { throw Failure.geometry }
        for _ in 0..<count {
          let step = (ProtobufReader.signed(commands[index]), ProtobufReader.signed(commands[index + 1]))
          index += 2
          guard (-farthest...farthest).contains(step.0), (-farthest...farthest).contains(step.1) else {
            throw Failure.geometry
          }
          at = (at.x + step.0, at.y + step.1)
          guard (-farthest...farthest).contains(at.x), (-farthest...farthest).contains(at.y) else {
            throw Failure.geometry
          }
          if command & 7 == 1, !line.isEmpty {
            lines.append(line)
            line = []
          }
          line.append(Point(x: Int(at.x), y: Int(at.y)))
        }
      case 7:
        guard count == 1, !line.isEmpty else { throw Failure.geometry }
        lines.append(line)
        line = []
      default: throw Failure.geometry
      }
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }
}
