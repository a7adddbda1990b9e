import Hummingbird

/// Which methods each address has, for whoever asks for another one.
///
/// The router knows only what there is: to tell it of each method that an address does not have would make its tree five
/// times as large, and a start so much longer.
struct Addresses: Sendable {
  struct Address: Sendable {
    /// As in the table of routes.
    let path: String
    fileprivate(set) var methods: Set<String>
    fileprivate let parts: [Part]
  }

  /// In the order in which the router prefers them.
  fileprivate enum Part: Int, Sendable {
    case exact, one, rest
  }

  /// By the text of the first part, or "" for those that begin with any.
  private var byStart: [Substring: [Address]] = [:]

  init(_ table: [Route]) {
    for (path, routes) in Dictionary(grouping: table, by: \.path) {
      let names = path.split(separator: "/")
      let parts = names.map { name in
        name == "**" ? Part.rest : name == "*" || name.first == "{" ? .one : .exact
      }
      var methods = Set(routes.map(\.method.rawValue))
      if methods.contains("GET") { methods.insert("HEAD") }
      let start = parts.first == .exact ? names[0] : ""
      byStart[start, default: []].append(Address(path: path, methods: methods, parts: parts))
    }
  }

  /// The address that the router takes a path for; nil if there is none.
  func address(of path: String) -> Address? {
    let names = path.split(separator: "/")
    let found = ((byStart[names.first ?? ""] ?? []) + (names.isEmpty ? [] : byStart[""] ?? [])).filter {
      Self.suits($0, names)
    }
    return found.min { $0.parts.map(\.rawValue).lexicographicallyPrecedes($1.parts.map(\.rawValue)) }
  }

  private static func suits(_ address: Address, _ names: [Substring]) -> Bool {
    let wanted = address.path.split(separator: "/")
    guard address.parts.last == .rest ? names.count >= wanted.count : names.count == wanted.count else {
      return false
    }
    return zip(address.parts, zip(wanted, names)).allSatisfy { part, pair in
      part != .exact || pair.0 == pair.1
    }
  }
}
