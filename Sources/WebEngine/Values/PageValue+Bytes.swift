import AlarmEngine

extension PageValue {
  /// As CBOR, every number and length in its shortest whole form, doubles in eight bytes.
  public var cbor: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  private enum Major {
    static let unsigned: UInt8 = 0
    static let negative: UInt8 = 1
    static let bytes: UInt8 = 2
    static let text: UInt8 = 3
    static let list: UInt8 = 4
    static let map: UInt8 = 5
    static let simple: UInt8 = 7
  }
  private enum Simple {
    static let no: UInt8 = 0xf4
    static let yes: UInt8 = 0xf5
    static let null: UInt8 = 0xf6
    static let double: UInt8 = 0xfb
  }

  private func write(to out: inout [UInt8]) {
    switch self {
    case .null: out.append(Simple.null)
    case .bool(let value): out.append(value ? Simple.yes : Simple.no)
    case .integer(let value):
      if value < 0 {
        Self.head(Major.negative, UInt64(bitPattern: ~value), to: &out)
      } else {
        Self.head(Major.unsigned, UInt64(value), to: &out)
      }
    case .number(let value):
      out.append(Simple.double)
      Self.word(value.bitPattern, bytes: 8, to: &out)
    case .text(let value):
      Self.head(Major.text, UInt64(value.utf8.count), to: &out)
      out.append(contentsOf: value.utf8)
    case .bytes(let value):
      Self.head(Major.bytes, UInt64(value.count), to: &out)
      out.append(contentsOf: value)
    case .list(let values):
      Self.head(Major.list, UInt64(values.count), to: &out)
      for value in values { value.write(to: &out) }
    case .map(let entries):
      Self.head(Major.map, UInt64(entries.count), to: &out)
      for entry in entries {
        PageValue.text(entry.key).write(to: &out)
        entry.value.write(to: &out)
      }
    }
  }

  private static func head(_ major: UInt8, _ count: UInt64, to out: inout [UInt8]) {
    let kind = major << 5
    if count < 24 {
      out.append(kind | UInt8(count))
    } else if count <= UInt64(UInt8.max) {
      out.append(kind | 24)
      word(count, bytes: 1, to: &out)
    } else if count <= UInt64(UInt16.max) {
      out.append(kind | 25)
      word(count, bytes: 2, to: &out)
    } else if count <= UInt64(UInt32.max) {
      out.append(kind | 26)
      word(count, bytes: 4, to: &out)
    } else {
      out.append(kind | 27)
      word(count, bytes: 8, to: &out)
    }
  }

  private static func word(_ value: UInt64, bytes: Int, to out: inout [UInt8]) {
    for place in (0..<bytes).reversed() { out.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * place))) }
  }

  /// - Throws: at the first byte that does not belong to the subset, with its place.
  public init(cbor bytes: [UInt8]) throws(PageValueError) {
    var reader = Reader(bytes: bytes)
    self = try reader.value(depth: 0)
    guard reader.place == bytes.count else { throw .leftOver(at: reader.place) }
  }

  private struct Reader {
    let bytes: [UInt8]
    var place = 0

    mutating func value(depth: Int) throws(PageValueError) -> PageValue {
      let start = place
      guard depth < PageValue.deepest else { throw .tooDeep(at: start) }
      guard start < bytes.count else { throw .truncated(at: start) }
      let first = bytes[start]
      place += 1
      switch first >> 5 {
      case Major.unsigned: return .integer(try whole(first, at: start))
      case Major.negative: return .integer(~(try whole(first, at: start)))
      case Major.bytes: return .bytes(try run(first, at: start))
      case Major.text: return .text(Text(utf8: try run(first, at: start)))
      case Major.list:
        let count = try length(first, of: 1, at: start)
        var values: [PageValue] = []
        values.reserveCapacity(count)
        for _ in 0..<count { values.append(try value(depth: depth + 1)) }
        return .list(values)
      case Major.map:
        let count = try length(first, of: 2, at: start)
        var entries: [Entry] = []
        entries.reserveCapacity(count)
        for _ in 0..<count {
          let at = place
          guard case .text(let key) = try value(depth: depth + 1) else { throw .outOfRange(at: at) }
          entries.append(Entry(key, try value(depth: depth + 1)))
        }
        return .map(entries)
      case Major.simple:
        switch first {
        case Simple.no: return .bool(false)
        case Simple.yes: return .bool(true)
        case Simple.null: return .null
        case Simple.double: return .number(Double(bitPattern: try word(bytes: 8)))
        default: throw .unsupported(first, at: start)
        }
      default: throw .unsupported(first, at: start)
      }
    }

    private mutating func word(bytes count: Int) throws(PageValueError) -> UInt64 {
      guard bytes.count - place >= count else { throw .truncated(at: bytes.count) }
      var value: UInt64 = 0
      for _ in 0..<count {
        value = value << 8 | UInt64(bytes[place])
        place += 1
      }
      return value
    }

    private mutating func argument(_ first: UInt8, at start: Int) throws(PageValueError) -> UInt64 {
      switch first & 31 {
      case let short where short < 24: return UInt64(short)
      case 24: return try word(bytes: 1)
      case 25: return try word(bytes: 2)
      case 26: return try word(bytes: 4)
      case 27: return try word(bytes: 8)
      default: throw .unsupported(first, at: start)
      }
    }

    private mutating func whole(_ first: UInt8, at start: Int) throws(PageValueError) -> Int64 {
      let value = try argument(first, at: start)
      guard value <= 1 << 53 else { throw .outOfRange(at: start) }
      return Int64(value)
    }

    /// How many things of at least `least` bytes follow, refused when the bytes that are left cannot hold them.
    private mutating func length(_ first: UInt8, of least: Int, at start: Int) throws(PageValueError) -> Int {
      let value = try argument(first, at: start)
      guard value <= UInt64((bytes.count - place) / least) else { throw .truncated(at: bytes.count) }
      return Int(value)
    }

    private mutating func run(_ first: UInt8, at start: Int) throws(PageValueError) -> [UInt8] {
      let count = try length(first, of: 1, at: start)
      defer { place += count }
      return Array(bytes[place..<(place + count)])
    }
  }
}
