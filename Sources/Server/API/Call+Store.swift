import AlarmEngine
import AlarmService
import Cryptography
import Delivery
import Formats
import HTTPTypes
import Hummingbird
import Store

extension Call {
  var store: SQLStore { parts.core.store }

  /// The id of a new object. With an `Idempotency-Key` it is derived from account, route and key, so that a
  /// repeated request finds the object that the first one created.
  func newID<ID: StoreID>(_: ID.Type, for signed: Signed, _ route: String) -> ID {
    guard let key = request.headers[.idempotencyKey] else { return .random() }
    let hash = SHA256.hash("\(signed.account)/\(route)/\(key)".utf8)
    return ID(rawValue: hash.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }

  /// Creates an object under `id`, or finds the one that an earlier request with the same key created.
  func once<Value>(
    make: () async throws -> Value, find: () async throws -> Value
  ) async throws -> (value: Value, isNew: Bool) {
    do { return (try await make(), true) } catch StoreError.taken
      where request.headers[.idempotencyKey] != nil
    {
      do { return (try await find(), false) } catch StoreError.notFound { throw StoreError.taken }
    }
  }

  /// The revision on which an edit is based.
  /// - Throws: if `If-Match` is missing, or names no revision.
  func expectedRevision() throws(Problem) -> Revision {
    guard let revision = try statedRevision() else {
      throw Problem(.preconditionRequired, "no If-Match found; the ETag of the edited revision is needed")
    }
    return revision
  }

  /// The same if `If-Match` is optional.
  func statedRevision() throws(Problem) -> Revision? {
    guard let header = request.headers[.ifMatch] else { return nil }
    guard let revision = EntityTag.revision(header) else {
      throw Problem(.stale, "If-Match \(header.excerpt(60)) found, the ETag of an answer allowed")
    }
    return Revision(rawValue: revision)
  }

  /// True if the client states that nothing exists at the address yet.
  var isCreation: Bool { request.headers[.ifNoneMatch] == "*" }

  /// Notifies engines and streams of changed zones of these accounts.
  func zonesChanged(_ accounts: [AccountID]) async throws {
    try await parts.alarms.engines.zonesChanged(of: accounts, at: now)
    parts.core.hub.publish(accounts)
  }

  /// Notifies engines and streams of changed reminders of the account.
  func remindersChanged(_ account: AccountID) async throws {
    try await parts.alarms.engines.remindersChanged(of: account, at: now)
    parts.core.hub.publish(account)
  }

  /// Notifies engines and streams of a changed check-in of the account.
  func checkInChanged(_ account: AccountID) async throws {
    try await parts.alarms.engines.checkInChanged(of: account, at: now)
    parts.core.hub.publish(account)
  }

  /// Notifies engines and streams of changed expected arrivals of the account.
  func expectedArrivalsChanged(_ account: AccountID) async throws {
    try await parts.alarms.engines.expectedArrivalsChanged(of: account, at: now)
    parts.core.hub.publish(account)
  }
}

extension Response {
  /// An object with a revision.
  static func json(
    _ value: JSONValue, revision: Revision, status: HTTPResponse.Status = .ok, location: String? = nil
  ) -> Response {
    var headers: HTTPFields = [.eTag: EntityTag.text(revision: revision.rawValue)]
    headers[.location] = location
    return .json(value, status: status, headers: headers)
  }
}

extension Problem {
  /// Converts an error of the store into a problem; nil if there is none for it.
  init?(_ error: StoreError) {
    switch error {
    case .notFound: self = .notFound
    case .stale(let stored):
      self.init(.stale, "revision \(stored) is stored; read it and repeat the edit")
    case .taken: self.init(.conflict, "the name or id is in use")
    case .tooMany(let allowed): self.init(.conflict, "the limit of \(allowed) is reached")
    case .usedUp(let allowed):
      let people = allowed == 1 ? "1 person" : "\(allowed) people"
      self.init(.gone, "the link was for \(people), and is used up; ask for a new one")
    case .clockAhead(let given, let allowed):
      self.init(
        .invalidContent,
        "an edit of \(RFC3339.string(from: given)) found, \(RFC3339.string(from: allowed)) or earlier allowed"
      )
    case .privateAccount:
      self.init(
        .privateAccount,
        "the account is in private mode: the server accepts and stores no position, zone or other place of it"
      )
    case .checkInRuns:
      self.init(
        .conflict, "a check-in runs, and its alarm would be lost: say that you are back first")
    case .conflict:
      self.init(.unavailable, "another process works on the same device", retryAfterSeconds: 1)
    case .diskFull: self.init(.storageFull, "nothing was saved", retryAfterSeconds: 60)
    case .locked: self.init(.unavailable, "the store is busy", retryAfterSeconds: 2)
    case .readOnly: self.init(.unavailable, "the store cannot be written", retryAfterSeconds: 60)
    case .fileReplaced(let path):
      let name = path.split(separator: "/").last ?? ""
      self.init(
        .unavailable,
        "the database file \(name) was replaced or removed; put it back, or restart the server",
        retryAfterSeconds: 60)
    case .closed, .cancelled: self.init(.unavailable, "the server is shutting down", retryAfterSeconds: 5)
    case .unavailable: self.init(.unavailable, "the database cannot be reached", retryAfterSeconds: 5)
    case .corrupted, .emptied, .newerSchema, .unreleasedSchema, .foreignFile, .cannotOpen, .badAddress,
      .notAllowed, .failed:
      return nil
    }
  }
}
