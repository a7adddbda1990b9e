/// The parameters of a statement in PostgreSQL's binary form, one after another in a single buffer.
struct BinaryParameters {
  /// The type of each parameter (`pg_type.oid`); 0 if the server is to infer it.
  private(set) var types: [UInt32] = []
  /// The offset of each parameter in `bytes`; nil for NULL.
  private(set) var starts: [Int?] = []
  private(set) var lengths: [Int32] = []
  /// Never empty, so that it always has a base address.
  private(set) var bytes: [UInt8] = []

  init(_ values: [PostgreSQLValue]) throws(PostgreSQLError) {
    types.reserveCapacity(values.count)
    starts.reserveCapacity(values.count)
    lengths.reserveCapacity(values.count)
    for value in values { try append(value) }
    bytes.append(0)
  }

  private mutating func append(_ value: PostgreSQLValue) throws(PostgreSQLError) {
    let start = bytes.count
    types.append(TypeID(of: value)?.rawValue ?? 0)
    switch value {
    case .null, .nullOf:
      starts.append(nil)
      lengths.append(0)
      return
    case .integer(let number): bytes.append(bigEndian: number)
    case .real(let number): bytes.append(bigEndian: number.bitPattern)
    case .text(let text): try bytes.append(text: text)
    case .bytes(let given): bytes += given
    case .boolean(let truth): bytes.append(truth ? 1 : 0)
    case .integers(let list):
      try appendArray(list, of: .integer) { bytes, number throws(PostgreSQLError) in
        bytes.append(bigEndian: number)
      }
    case .reals(let list):
      try appendArray(list, of: .real) { bytes, number throws(PostgreSQLError) in
        bytes.append(bigEndian: number.bitPattern)
      }
    case .texts(let list):
      try appendArray(list, of: .text) { bytes, text throws(PostgreSQLError) in try bytes.append(text: text) }
    case .byteArrays(let list):
      try appendArray(list, of: .bytes) { bytes, given throws(PostgreSQLError) in bytes += given }
    case .booleans(let list):
      try appendArray(list, of: .boolean) { bytes, truth throws(PostgreSQLError) in
        bytes.append(truth ? 1 : 0)
      }
    }
    starts.append(start)
    lengths.append(try length(since: start))
  }

  /// Appends the number of dimensions, the NULL flag, the element type, the count and the lower bound, then
  /// each element with its length.
  private mutating func appendArray<Element>(
    _ list: [Element?], of type: TypeID,
    each write: (inout [UInt8], Element) throws(PostgreSQLError) -> Void
  ) throws(PostgreSQLError) {
    bytes.append(bigEndian: Int32(list.isEmpty ? 0 : 1))
    bytes.append(bigEndian: Int32(list.contains { $0 == nil } ? 1 : 0))
    bytes.append(bigEndian: type.rawValue)
    guard !list.isEmpty else { return }
    guard let count = Int32(exactly: list.count) else { throw .tooLarge }
    bytes.append(bigEndian: count)
    bytes.append(bigEndian: Int32(1))
    for element in list {
      guard let element else {
        bytes.append(bigEndian: Int32(-1))
        continue
      }
      let place = bytes.count
      bytes.append(bigEndian: Int32(0))
      try write(&bytes, element)
      let length = try length(since: place + 4)
      withUnsafeBytes(of: length.bigEndian) { for index in 0..<4 { bytes[place + index] = $0[index] } }
    }
  }

  private func length(since start: Int) throws(PostgreSQLError) -> Int32 {
    guard let length = Int32(exactly: bytes.count - start) else { throw .tooLarge }
    return length
  }
}

extension [UInt8] {
  fileprivate mutating func append(bigEndian number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }

  /// - Throws: `22021` for a text with a zero byte, which PostgreSQL cannot store.
  fileprivate mutating func append(text: String) throws(PostgreSQLError) {
    let start = count
    append(contentsOf: text.utf8)
    guard !self[start...].contains(0) else {
      throw PostgreSQLError(
        code: "22021", message: "PostgreSQL cannot store a text that contains a zero byte.")
    }
  }
}

extension PostgreSQLError {
  fileprivate static let tooLarge = PostgreSQLError(
    code: "54000", message: "A value of more than 2 GB cannot be sent to PostgreSQL.")
}
