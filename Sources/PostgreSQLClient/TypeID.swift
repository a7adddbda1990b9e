/// The types sent and received, with their `oid` in PostgreSQL's catalogue, which is the same on every
/// server.
enum TypeID: UInt32 {
  case boolean = 16
  case bytes = 17
  case character = 18
  case name = 19
  case integer = 20
  case integer2 = 21
  case integer4 = 23
  case text = 25
  case objectID = 26
  case transactionID = 28
  case real4 = 700
  case real = 701
  case unknown = 705
  case paddedText = 1042
  case limitedText = 1043
  case void = 2278
  case transactionID8 = 5069
  case booleans = 1000
  case byteArrays = 1001
  case integers4 = 1007
  case texts = 1009
  case integers = 1016
  case reals = 1022

  /// Nil for `.null`, whose type the server infers.
  init?(of value: PostgreSQLValue) {
    switch value {
    case .null: return nil
    case .nullOf(.integer): self = .integer
    case .nullOf(.real): self = .real
    case .nullOf(.text): self = .text
    case .nullOf(.bytes): self = .bytes
    case .nullOf(.boolean): self = .boolean
    case .integer: self = .integer
    case .real: self = .real
    case .text: self = .text
    case .bytes: self = .bytes
    case .boolean: self = .boolean
    case .integers: self = .integers
    case .reals: self = .reals
    case .texts: self = .texts
    case .byteArrays: self = .byteArrays
    case .booleans: self = .booleans
    }
  }
}
