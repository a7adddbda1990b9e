import CommandLineSupport
import Delivery
import Formats
import Foundation
import Store

/// A person to invite to a group by a link of their own, from a row of a table.
struct Invitation: Equatable, Sendable {
  /// The line of the table.
  let line: Int
  let name: String
  let mail: MailAddress
  /// The login proposed for a new account; nil if the table proposes none.
  let login: String?
}

/// The table of the people to invite: the columns `name` and `mail`, and perhaps `login`.
enum InvitationList {
  static let most = 1000
  /// The most bytes of a table; one with 1,000 rows has fewer.
  static let largest = 4 << 20

  /// - Throws: `ReadError` after all problems of the table were printed.
  static func read(_ path: String, makesAccounts: Bool, on console: Console) throws -> [Invitation] {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw UsageError("--csv \(printable(path)) cannot be read")
    }
    guard bytes.count <= largest else {
      throw ReadError("\(path): \(bytes.count) bytes found, at most \(largest) allowed")
    }
    let (invitations, problems) = read(Array(bytes), makesAccounts: makesAccounts)
    guard problems.isEmpty else {
      for problem in problems.prefix(20) {
        console.complain(printable("\(path), line \(problem.line): \(problem.message)"))
      }
      if problems.count > 20 { console.complain("… and \(problems.count - 20) more") }
      throw ReadError("nothing was created, since \(path) has lines that cannot be used")
    }
    return invitations
  }

  static func read(
    _ bytes: [UInt8], makesAccounts: Bool
  ) -> (invitations: [Invitation], problems: [HeaderTable.Problem]) {
    let table = HeaderTable(bytes, needed: ["name", "mail"], optional: ["login"], most: most)
    var problems = table.problems
    var invitations: [Invitation] = []
    var lines: [String: Int] = [:]
    if table.columns.contains("login"), !makesAccounts {
      problems.append(.init(line: 1, "a column login found, allowed with --new-accounts only"))
    }
    for row in table.rows {
      func refuse(_ message: String) { problems.append(.init(line: row.line, message)) }
      let (name, mail, login) = (row["name"], row["mail"], row["login"])
      var isGood = true
      if let wrong = wrongName(name) {
        refuse("name: \(wrong)")
        isGood = false
      }
      if !login.isEmpty, let wrong = wrongLogin(login) {
        refuse("login: \(wrong)")
        isGood = false
      }
      let address: MailAddress
      do throws(MailAddress.Refusal) { address = try MailAddress(mail) } catch {
        refuse("mail: \(found(mail)) found, \(error.allowed) allowed")
        continue
      }
      for (column, text) in [("mail", mail), ("login", login)] where !text.isEmpty {
        if let earlier = lines.updateValue(row.line, forKey: "\(column) \(text.lowercased())") {
          refuse("\(column): \(found(text)) found, which is in line \(earlier) too; each is allowed once")
          isGood = false
        }
      }
      guard isGood else { continue }
      invitations.append(
        Invitation(line: row.line, name: name, mail: address, login: login.isEmpty ? nil : login))
    }
    return (invitations, problems.sorted { $0.line < $1.line })
  }

  private static func wrongName(_ name: String) -> String? {
    if name.isEmpty { return "nothing found, 1 to \(GroupLink.longestNote) bytes allowed" }
    if name.utf8.count > GroupLink.longestNote {
      return "\(name.utf8.count) bytes found, 1 to \(GroupLink.longestNote) allowed"
    }
    return hasControls(name) ? "\(found(name)) found, one line without control characters allowed" : nil
  }

  private static func wrongLogin(_ login: String) -> String? {
    if login.utf8.count > 100 { return "\(login.utf8.count) bytes found, 1 to 100 allowed" }
    return login.contains(":") || hasControls(login)
      ? "\(found(login)) found, a text without colon and control characters allowed" : nil
  }

  private static func hasControls(_ text: String) -> Bool {
    text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  private static func found(_ text: String) -> String { text.isEmpty ? "nothing" : "\"\(text.prefix(80))\"" }
}
