/// An optional value that is rarely present. It is stored indirectly, so that its absence takes one word
/// only.
enum Seldom<Value: Hashable & Sendable>: Hashable, Sendable {
  case nothing
  indirect case something(Value)

  init(_ value: Value?) {
    if let value { self = .something(value) } else { self = .nothing }
  }

  var value: Value? {
    switch self {
    case .nothing: nil
    case .something(let value): value
    }
  }
}
