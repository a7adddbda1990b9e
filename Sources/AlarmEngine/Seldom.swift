/// A value that is seldom there. It has a place of its own, so that where it is not it takes one word.
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
