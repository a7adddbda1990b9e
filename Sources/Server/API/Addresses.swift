import HTTPTypes

/// The methods of each address, for the answer to a request with another one.
///
/// The router knows only the methods that exist: registering the missing methods of every address as well
/// would make its tree five times as large, and slow the start accordingly.
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

    /// The router prefers the lower rank.
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

  /// The address that the router matches to a path; nil if there is none.
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
