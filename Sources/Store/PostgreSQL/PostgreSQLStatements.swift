#if PostgreSQL
  import NIOConcurrencyHelpers

  /// The store's statements in PostgreSQL's form; each is translated once.
  ///
  /// Parameters are numbered as in SQLite: `?` is one more than the highest so far, `?2` the second. `rowid`
  /// becomes `ctid`, the location of a row, which is valid while the statement runs.
  final class PostgreSQLStatements: Sendable {
    private let known = NIOLockedValueBox<[String: String]>([:])

    func translated(_ sql: String) -> String {
      if let done = known.withLockedValue({ $0[sql] }) { return done }
      let done = Self.translate(sql)
      known.withLockedValue { known in
        // Few statements have names in them; this limits their number.
        if known.count >= 2000 { known.removeAll() }
        known[sql] = done
      }
      return done
    }

    static func translate(_ sql: String) -> String {
      var result = ""
      result.reserveCapacity(sql.utf8.count + 16)
      var highest = 0
      var word = ""
      var isQuoted = false
      func endWord() {
        result += word == "rowid" ? "ctid" : word
        word = ""
      }
      var rest = sql.unicodeScalars[...]
      while let next = rest.popFirst() {
        if isQuoted || next == "'" {
          endWord()
          if next == "'" { isQuoted.toggle() }
          result.unicodeScalars.append(next)
        } else if next == "?" {
          endWord()
          var digits = ""
          while let digit = rest.first, ("0"..."9").contains(digit) {
            digits.unicodeScalars.append(digit)
            rest.removeFirst()
          }
          let number = Int(digits) ?? highest + 1
          highest = max(highest, number)
          result += "$\(number)"
        } else if next == "_" || next.properties.isAlphabetic || ("0"..."9").contains(next) {
          word.unicodeScalars.append(next)
        } else {
          endWord()
          result.unicodeScalars.append(next)
        }
      }
      endWord()
      return result
    }
  }
#endif
