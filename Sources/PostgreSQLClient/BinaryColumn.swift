/// Reads the values of one column of a result from PostgreSQL's binary form.
struct BinaryColumn {
  let name: String
  private let type: TypeID

  /// - Parameter oid: the column's type. A type that this client does not read is an error.
  init(name: String, oid: UInt32) throws(PostgreSQLError) {
    guard let type = TypeID(rawValue: oid) else {
      throw PostgreSQLError(
        code: "0A000",
        message: "The column \(name) has the type \(Self.name(of: oid)), which is not read:"
          + " cast it to bigint, double precision, text, bytea or boolean.")
    }
    self.name = name
    self.type = type
  }

  private static func name(of oid: UInt32) -> String {
    let known: [UInt32: String] = [
      114: "json", 1082: "date", 1083: "time", 1114: "timestamp", 1184: "timestamptz", 1186: "interval",
      1700: "numeric", 2950: "uuid", 3802: "jsonb",
    ]
    return known[oid] ?? "with the oid \(oid)"
  }

  func value(_ bytes: UnsafeRawBufferPointer) throws(PostgreSQLError) -> PostgreSQLValue {
    switch type {
    case .boolean: return .boolean(try boolean(bytes))
    case .bytes: return .bytes(Array(bytes))
    case .text, .name, .limitedText, .paddedText, .character, .unknown: return .text(text(bytes))
    case .integer: return .integer(try number(bytes, Int64.self))
    case .integer2: return .integer(Int64(try number(bytes, Int16.self)))
    case .integer4: return .integer(Int64(try number(bytes, Int32.self)))
    case .objectID, .transactionID: return .integer(Int64(try number(bytes, UInt32.self)))
    case .transactionID8: return .integer(Int64(truncatingIfNeeded: try number(bytes, UInt64.self)))
    case .real: return .real(try real(bytes))
    case .real4: return .real(Double(Float(bitPattern: try number(bytes, UInt32.self))))
    case .void: return .null
    case .integers:
      return .integers(
        try array(bytes) { element throws(PostgreSQLError) in try number(element, Int64.self) })
    case .integers4:
      return .integers(
        try array(bytes) { element throws(PostgreSQLError) in Int64(try number(element, Int32.self)) })
    case .reals: return .reals(try array(bytes, real))
    case .texts: return .texts(try array(bytes) { element throws(PostgreSQLError) in text(element) })
    case .byteArrays:
      return .byteArrays(try array(bytes) { element throws(PostgreSQLError) in Array(element) })
    case .booleans: return .booleans(try array(bytes, boolean))
    }
  }

  private func text(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }

  private func boolean(_ bytes: UnsafeRawBufferPointer) throws(PostgreSQLError) -> Bool {
    try number(bytes, UInt8.self) != 0
  }

  private func real(_ bytes: UnsafeRawBufferPointer) throws(PostgreSQLError) -> Double {
    Double(bitPattern: try number(bytes, UInt64.self))
  }

  private func number<Number: FixedWidthInteger>(
    _ bytes: UnsafeRawBufferPointer, _ type: Number.Type
  ) throws(PostgreSQLError) -> Number {
    guard bytes.count == MemoryLayout<Number>.size else { throw malformed }
    return Number(bigEndian: bytes.loadUnaligned(as: Number.self))
  }

  /// Reads an array of one dimension, the only kind that `array_agg` and this client's parameters produce.
  private func array<Element>(
    _ bytes: UnsafeRawBufferPointer, _ read: (UnsafeRawBufferPointer) throws(PostgreSQLError) -> Element
  ) throws(PostgreSQLError) -> [Element?] {
    var offset = 0
    func next() throws(PostgreSQLError) -> Int {
      guard bytes.count - offset >= 4 else { throw malformed }
      defer { offset += 4 }
      return Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)))
    }
    let dimensions = try next()
    offset += 8
    if dimensions == 0 { return [] }
    guard dimensions == 1 else {
      throw PostgreSQLError(
        code: "0A000",
        message: "The column \(name) is an array of \(dimensions) dimensions; only one is read.")
    }
    let count = try next()
    offset += 4
    var list: [Element?] = []
    list.reserveCapacity(min(max(0, count), bytes.count / 4))
    for _ in 0..<max(0, count) {
      let length = try next()
      guard length >= 0 else {
        list.append(nil)
        continue
      }
      guard bytes.count - offset >= length else { throw malformed }
      list.append(try read(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length])))
      offset += length
    }
    return list
  }

  private var malformed: PostgreSQLError {
    PostgreSQLError(code: "08P01", message: "A value of the column \(name) is not as long as its type says.")
  }
}
