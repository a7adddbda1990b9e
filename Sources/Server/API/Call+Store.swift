import AlarmEngine
import AlarmService
import Cryptography
import Delivery
import Formats
import HTTPTypes
import Hummingbird
import Store

extension Call {
  var store: SQLStore { parts.store }

  /// The id of something new. With an `Idempotency-Key` it follows from account, route and key, so that a request sent
  /// again meets what the first one made.
  func newID<ID: StoreID>(_: ID.Type, for signed: Signed, _ route: String) -> ID {
    guard let key = request.headers[.idempotencyKey] else { return .random() }
    let hash = SHA256.hash("\(signed.account)/\(route)/\(key)".utf8)
    return ID(rawValue: hash.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }

  /// Makes something under `id`; where an earlier request with the same key made it already, finds that.
  func once<Value>(
    make: () async throws -> Value, find: () async throws -> Value
  ) async throws -> (value: Value, isNew: Bool) {
    do { return (try await make(), true) } catch StoreError.taken
      where request.headers[.idempotencyKey] != nil
    {
      do { return (try await find(), false) } catch StoreError.notFound { throw StoreError.taken }
    }
  }

  /// The revision that an edit was made from.
  /// - Throws: when `If-Match` is missing, or names none.
  func expectedRevision() throws(Problem) -> Revision {
    guard let revision = try statedRevision() else {
      throw Problem(.preconditionRequired, "no If-Match found; its ETag says which revision was edited")
    }
    return revision
  }

  /// The same where `If-Match` may be left out.
  func statedRevision() throws(Problem) -> Revision? {
    guard let header = request.headers[.ifMatch] else { return nil }
    guard let revision = EntityTag.revision(header) else {
      throw Problem(.stale, "If-Match \(header.excerpt(60)) found, the ETag of an answer allowed")
    }
    return Revision(rawValue: revision)
  }

  /// Whether the client says that there is nothing under the address yet.
  var isCreation: Bool { request.headers[.ifNoneMatch] == "*" }

  /// Tells engines and streams that the account's zones are different now.
  func zonesChanged(_ accounts: [AccountID]) async throws {
    try await parts.engines.zonesChanged(of: accounts, at: now)
    parts.hub.publish(accounts)
  }
}

extension Response {
  /// Something with a revision.
  static func json(
    _ value: JSONValue, revision: Revision, status: HTTPResponse.Status = .ok, location: String? = nil
  ) -> Response {
    var headers: HTTPFields = [.eTag: EntityTag.text(revision: revision.rawValue)]
    headers[.location] = location
    return .json(value, status: status, headers: headers)
  }
}

extension Problem {
  /// What a refusal of the store is to a client.
  init?(_ error: StoreError) {
    switch error {
    case .notFound: self = .notFound
    case .stale(let stored):
      self.init(.stale, "revision \(stored) is stored; read it and edit that")
    case .taken: self.init(.conflict, "the name or id is in use")
    case .tooMany(let allowed): self.init(.conflict, "as many as are allowed are there: \(allowed)")
    case .clockAhead(let given, let allowed):
      self.init(
        .invalidContent,
        "an edit of \(RFC3339.string(from: given)) found, \(RFC3339.string(from: allowed)) or earlier allowed"
      )
    case .privateAccount:
      self.init(
        .privateAccount,
        "the account is in private mode: the server takes and keeps no position, zone or other place of it")
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
