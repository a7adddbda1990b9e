/// The prepared statements of a connection, by text and parameter types.
struct PreparedStatements {
  static let limit = 500

  private struct Statement {
    let name: String
    let types: [UInt32]
    var lastUse: UInt64
  }

  private var statements: [String: [Statement]] = [:]
  private(set) var count = 0
  private var uses: UInt64 = 0
  private var names = 0

  /// The name of a prepared statement that accepts these types. A NULL, whose type is 0, fits a parameter of
  /// any type, so that a statement is not prepared anew for each combination of NULLs.
  mutating func name(of sql: String, _ types: [UInt32]) -> String? {
    guard
      let index = statements[sql]?.firstIndex(where: { statement in
        statement.types.count == types.count
          && zip(statement.types, types).allSatisfy { $0 == $1 || $1 == 0 }
      })
    else { return nil }
    uses += 1
    statements[sql]![index].lastUse = uses
    return statements[sql]![index].name
  }

  /// Records a statement.
  ///
  /// - Returns: the name under which to prepare it.
  mutating func add(_ sql: String, _ types: [UInt32]) -> String {
    uses += 1
    names += 1
    count += 1
    let name = "s\(names)"
    statements[sql, default: []].append(Statement(name: name, types: types, lastUse: uses))
    return name
  }

  /// Removes a statement that failed to be prepared, or no longer fits the tables.
  mutating func forget(_ name: String) {
    for (sql, list) in statements where list.contains(where: { $0.name == name }) {
      let rest = list.filter { $0.name != name }
      statements[sql] = rest.isEmpty ? nil : rest
      count -= 1
      return
    }
  }

  /// The least recently used statement. Names are not in the order of use.
  var leastRecentlyUsed: String? {
    statements.values.joined().min { $0.lastUse < $1.lastUse }?.name
  }
}
