/// Reads the fields of one untrusted protobuf message (protobuf.dev, "Encoding").
package struct ProtobufReader {
  package enum Failure: Error, Equatable {
    case endsEarly
    case varintTooLong
    case wireType(UInt8)
    case fieldZero
  }

  package enum Value {
    case varint(UInt64)
    /// A nested message, a string or a packed list.
    case bytes(ProtobufReader)
    /// Four or eight bytes; unused in our messages.
    case fixed
  }

  package let bytes: [UInt8]
  package private(set) var position: Int
  package let end: Int

  package init(_ bytes: [UInt8]) {
    self.init(bytes, 0..<bytes.count)
  }

  private init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  package var isAtEnd: Bool { position >= end }
  /// The bytes not yet read.
  package var rest: ArraySlice<UInt8> { bytes[position..<end] }

  /// Returns the next field; nil at the end.
  package mutating func next() throws(Failure) -> (number: UInt64, value: Value)? {
    guard position < end else { return nil }
    let key = try varint()
    guard key >> 3 > 0 else { throw .fieldZero }
    switch key & 7 {
    case 0: return (key >> 3, .varint(try varint()))
    case 1:
      try skip(8)
      return (key >> 3, .fixed)
    case 2:
      let length = try varint()
      guard length <= UInt64(end - position) else { throw .endsEarly }
      let start = position
      position += Int(length)
      return (key >> 3, .bytes(ProtobufReader(bytes, start..<position)))
    case 5:
      try skip(4)
      return (key >> 3, .fixed)
    case let type: throw .wireType(UInt8(type))
    }
  }

  private mutating func skip(_ count: Int) throws(Failure) {
    guard end - position >= count else { throw .endsEarly }
    position += count
  }

  package mutating func varint() throws(Failure) -> UInt64 {
    guard position < end else { throw .endsEarly }
    let first = bytes[position]
    position += 1
    if first < 0x80 { return UInt64(first) }
    var value = UInt64(first & 0x7f)
    var shift: UInt64 = 7
    while true {
      guard position < end else { throw .endsEarly }
      // Ten bytes hold 70 bits; those beyond 64 are dropped, as in protobuf.
      guard shift < 70 else { throw .varintTooLong }
      let byte = bytes[position]
      position += 1
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
  }

  /// Reads a `sint64`, with the sign in the lowest bit.
  package mutating func signed() throws(Failure) -> Int64 { Self.signed(try varint()) }

  package static func signed(_ value: UInt64) -> Int64 {
    Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }
}

extension ProtobufReader.Value {
  /// Appends the numbers of a repeated field, packed or one by one, in the order of the message.
  package func append(to numbers: inout [UInt64]) throws(ProtobufReader.Failure) {
    switch self {
    case .varint(let number): numbers.append(number)
    case .bytes(var list): while !list.isAtEnd { numbers.append(try list.varint()) }
    case .fixed: throw .wireType(5)
    }
  }

  /// Appends numbers stored as differences to the previous one (delta coding of `sint64`).
  package func append(deltas numbers: inout [Int64]) throws(ProtobufReader.Failure) {
    var last = numbers.last ?? 0
    switch self {
    case .varint(let number): numbers.append(last &+ ProtobufReader.signed(number))
    case .bytes(var list):
      while !list.isAtEnd {
        last = last &+ (try list.signed())
        numbers.append(last)
      }
    case .fixed: throw .wireType(5)
    }
  }
}
