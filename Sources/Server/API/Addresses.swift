import HTTPTypes

/// Which methods each address has, for whoever asks for another one.
///
/// The router knows only what there is: to tell it of each method that an address does not have would make its tree five
/// times as large, and a start so much longer.
struct Addresses: Sendable {
  struct Address: Sendable {
    /// As in the table of routes.
    let path: String
    let methods: Set<String>
    fileprivate let parts: [Part]
  }

  fileprivate enum Part: Sendable {
    case exact(Substring)
    case one, rest

    init(_ text: Substring) {
      self = text == "**" ? .rest : text == "*" || text.first == "{" ? .one : .exact(text)
    }

    /// The router prefers the lower one.
    var rank: Int {
      switch self {
      case .exact: 0
      case .one: 1
      case .rest: 2
      }
    }
  }

  private let all: [Address]

  init(_ table: [Route]) {
    all = Dictionary(grouping: table, by: \.path).map { path, routes in
      let methods = routes.map(\.method)
      return Address(
        path: path, methods: Set((methods + (methods.contains(.get) ? [.head] : [])).map(\.rawValue)),
        parts: path.split(separator: "/").map { Part($0) })
    }
  }

  /// The address that the router takes a path for; nil if there is none.
  func address(of path: String) -> Address? {
    let names = path.split(separator: "/")
    return all.filter { Self.suit($0.parts, names) }
      .min { $0.parts.map(\.rank).lexicographicallyPrecedes($1.parts.map(\.rank)) }
  }

  private static func suit(_ parts: [Part], _ names: [Substring]) -> Bool {
    for (index, part) in parts.enumerated() {
      guard index < names.count else { return false }
      switch part {
      case .rest: return true
      case .one: continue
      case .exact(let text): guard text == names[index] else { return false }
      }
    }
    return parts.count == names.count
  }
}
