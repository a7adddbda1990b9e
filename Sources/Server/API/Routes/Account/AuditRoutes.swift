import AlarmEngine
import Formats
import HTTPTypes
import Hummingbird
import Store

/// The audit log of an account.
enum AuditRoutes {
  private static let entry = Schema.object([
    .needed("id", .id, ""), .needed("at", .time, ""),
    .needed("action", .text(1...200), "The operation, by its name in this document."),
    .needed("subject", .text(0...200), "Object of the operation: its name, or its id if it has none."),
    .needed("is_refused", .boolean, "True for a failed attempt, such as a wrong password."),
    .needed("by", .words(["session", "token", "command_line", "stranger", "person"]), ""),
    .needed(
      "by_name", .text(0...200), "The browser's User-Agent, the token's name, or another person's login."),
    .needed("address", .text(0...200), "Network address."),
  ])

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/account/audit", name: "listAuditEntries",
      summary: "Lists the actions in the account with their actor and address, latest first, for 400 days",
      handler: .account { call, signed in
        let limit = Paging.limit(call)
        let found = try await call.store.auditLog(
          of: signed.account, before: try Paging.after(call, AuditEntryID.self), limit: limit + 1)
        return .json(Paging.page(found, limit: limit, id: \.id, json: json))
      }, query: Paging.query, answers: [.json(Paging.schema(entry), "A page.")])
  ]

  private static func json(_ entry: AuditEntry) -> JSONValue {
    let (by, name) = entry.actor.words
    return .object([
      ("id", .string(entry.id.description)), ("at", entry.at.json), ("action", .string(entry.action)),
      ("subject", .string(entry.subject)), ("is_refused", .bool(entry.isRefused)), ("by", .string(by)),
      ("by_name", .string(name)), ("address", .string(entry.address)),
    ])
  }
}
