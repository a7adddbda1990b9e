import AlarmEngine
import Foundation

/// End-to-end encrypted messages between accounts: their public keys, agreements to exchange messages, and
/// waiting messages. The store sees opaque bytes, their size and time, and the two accounts.
extension SQLStore {
  private static func key(_ row: SQLRow) -> SealedKey {
    var key = SealedKey(
      id: row.id(0), account: row.id(1), publicKey: row.bytes(2), name: row[3], createdAt: row.instant(4))
    key.fetchedAt = row.instant(5)
    return key
  }
  private static let keyColumns = "id, account, public_key, name, created_at, fetched_at"

  private static func keys(_ account: AccountID, _ database: any SQLTransaction) throws -> [SealedKey] {
    try database.rows(
      "SELECT \(keyColumns) FROM sealed_key WHERE account = ? ORDER BY created_at, id", [account.sql]
    ).map { key($0) }
  }

  /// Adds a key. If the account has the same public key already, the stored one is returned.
  /// - Throws: `.tooMany` beyond `SealedKey.most`.
  @discardableResult
  public func register(_ key: SealedKey) async throws(StoreError) -> SealedKey {
    try await write { database in
      _ = try Self.account(key.account, database)
      let all = try Self.keys(key.account, database)
      if let known = all.first(where: { $0.publicKey == key.publicKey }) { return known }
      guard all.count < SealedKey.most else { throw StoreError.tooMany(allowed: SealedKey.most) }
      try database.insert(
        "INSERT INTO sealed_key (\(Self.keyColumns)) VALUES (?, ?, ?, ?, ?, ?)",
        [
          key.id.sql, key.account.sql, Data(key.publicKey), key.name, key.createdAt.sql, key.createdAt.sql,
        ])
      try Self.keysChanged(of: key.account, at: key.createdAt, database)
      return key
    }
  }

  /// Adds a change to the feeds of the account and its contacts, so that a new key is noticed and never used
  /// silently.
  private static func keysChanged(
    of account: AccountID, at now: Instant, _ database: any SQLTransaction
  ) throws {
    let others = try database.rows(
      """
      SELECT owner FROM sealed_contact WHERE viewer = ?1
      UNION SELECT viewer FROM sealed_contact WHERE owner = ?1 AND viewer IS NOT NULL
      """, [account.sql]
    ).map { $0.id(0) as AccountID }
    try changeSealed(account.rawValue, for: [account] + others, at: now, database)
  }

  /// In the order of accounts, since each update waits for other writers of that account's feed.
  private static func changeSealed(
    _ id: UInt64, for accounts: [AccountID], deleted: Bool = false, at now: Instant,
    _ database: any SQLTransaction
  ) throws {
    for account in Set(accounts).sorted() {
      try change(.sealed, id, of: account, deleted: deleted, at: now, database)
    }
  }

  /// The account's keys, the oldest first.
  public func sealedKeys(of account: AccountID) async throws(StoreError) -> [SealedKey] {
    try await read { try Self.keys(account, $0) }
  }

  /// Removes a key with its waiting messages.
  public func removeSealedKey(
    _ id: SealedKeyID, of account: AccountID, at now: Instant
  ) async throws(StoreError) {
    try await write { database in
      let removed = try database.run(
        "DELETE FROM sealed_key WHERE id = ? AND account = ?", [id.sql, account.sql])
      guard removed == 1 else { throw StoreError.notFound }
      try Self.keysChanged(of: account, at: now, database)
    }
  }

  // MARK: Agreements

  private static func contact(_ row: SQLRow) -> SealedContact {
    SealedContact(
      id: row.id(0), owner: row.id(1), ownerLogin: row[2], ownerName: row[3],
      login: (row[5] as String?) ?? row[4], viewerName: (row[6] as String?) ?? "", viewer: row.optionalID(7),
      createdAt: row.instant(8))
  }

  /// A query for the contacts of ?1: accepted ones, and requests made after ?2.
  private static let contacts = """
    SELECT sealed_contact.id, sealed_contact.owner, asking.login, asking.name, sealed_contact.login, asked.login,
      asked.name, sealed_contact.viewer, sealed_contact.created_at
    FROM sealed_contact JOIN account AS asking ON asking.id = sealed_contact.owner
    LEFT JOIN account AS asked ON asked.id = sealed_contact.viewer
    WHERE (sealed_contact.viewer IS NOT NULL OR sealed_contact.created_at > ?2)
      AND NOT asking.is_disabled AND NOT asking.is_erased
      AND (sealed_contact.owner = ?1 OR sealed_contact.viewer = ?1 OR sealed_contact.viewer IS NULL AND EXISTS (
        SELECT 1 FROM account AS me WHERE me.id = ?1 AND lower(me.login) = lower(sealed_contact.login)))
    """

  private static func contacts(
    _ account: AccountID, at now: Instant, _ database: any SQLTransaction
  ) throws -> [SealedContact] {
    try database.rows(
      contacts + " ORDER BY sealed_contact.created_at, sealed_contact.id",
      [account.sql, (now - SealedContact.offerLasts).sql]
    ).map { contact($0) }
  }

  /// The contacts that the account asked or that asked it, accepted or not, by the time of the request. Both
  /// sides see an accepted one.
  public func sealedContacts(
    of account: AccountID, at now: Instant
  ) async throws(StoreError) -> [SealedContact] {
    try await read { try Self.contacts(account, at: now, $0) }
  }

  /// Asks the person with that login. Asking again has no effect; asking a person who has asked the account
  /// accepts their request.
  /// - Throws: `.tooMany` beyond `SealedContact.most`; `.taken` for the account's own login.
  public func ask(
    _ login: String, by account: AccountID, at now: Instant
  ) async throws(StoreError) -> SealedContact {
    try await write { database in
      let own = try Self.account(account, database).login.asciiLowercased
      guard login.asciiLowercased != own else { throw StoreError.taken }
      let wanted = login.asciiLowercased
      let known = try Self.contacts(account, at: now, database)
      if let asked = known.first(where: { $0.owner == account && $0.login.asciiLowercased == wanted }) {
        return asked
      }
      // Asking a person who has asked the account accepts their request.
      if let asking = known.first(where: { $0.owner != account && $0.ownerLogin.asciiLowercased == wanted }) {
        if asking.viewer == nil { try Self.agree(asking.id, account, at: now, database) }
        return try Self.contacts(account, at: now, database).first { $0.id == asking.id } ?? asking
      }
      guard known.count(where: { $0.owner == account }) < SealedContact.most else {
        throw StoreError.tooMany(allowed: SealedContact.most)
      }
      let id = SealedContactID.random()
      try database.insert(
        "INSERT INTO sealed_contact (id, owner, login, viewer, created_at) VALUES (?, ?, ?, NULL, ?)",
        [id.sql, account.sql, login, now.sql])
      let asked = try database.integer("SELECT id FROM account WHERE lower(login) = ?", [wanted])
      try Self.changeSealed(
        id.rawValue, for: [account] + (asked.map { [AccountID(sql: $0)] } ?? []), at: now, database)
      guard let made = try Self.contacts(account, at: now, database).first(where: { $0.id == id }) else {
        throw StoreError.notFound
      }
      return made
    }
  }

  /// - Throws: `.notFound` if the account has no such request.
  public func agree(
    _ id: SealedContactID, by account: AccountID, at now: Instant
  ) async throws(StoreError) {
    try await write { database in
      let asked = try Self.contacts(account, at: now, database).contains {
        $0.id == id && $0.owner != account && $0.viewer == nil
      }
      guard asked else { throw StoreError.notFound }
      try Self.agree(id, account, at: now, database)
    }
  }

  private static func agree(
    _ id: SealedContactID, _ account: AccountID, at now: Instant, _ database: any SQLTransaction
  ) throws {
    try database.run("UPDATE sealed_contact SET viewer = ? WHERE id = ?", [account.sql, id.sql])
    let owner = try database.integer("SELECT owner FROM sealed_contact WHERE id = ?", [id.sql])
    try changeSealed(
      id.rawValue, for: [account] + (owner.map { [AccountID(sql: $0)] } ?? []), at: now, database)
  }

  /// Ends an agreement for both sides, or withdraws or declines a request. Messages waiting between the two
  /// are deleted.
  public func end(
    _ id: SealedContactID, by account: AccountID, at now: Instant
  ) async throws(StoreError) {
    try await write { database in
      let found = try Self.contacts(account, at: now, database).first { $0.id == id }
      guard let contact = found else { throw StoreError.notFound }
      try database.run("DELETE FROM sealed_contact WHERE id = ?", [id.sql])
      if let viewer = contact.viewer {
        try database.run(
          """
          DELETE FROM sealed_message WHERE (account = ?1 AND sender = ?2) OR (account = ?2 AND sender = ?1)
          """, [contact.owner.sql, viewer.sql])
      }
      try Self.changeSealed(
        id.rawValue, for: [contact.owner, contact.viewer ?? account], deleted: true, at: now, database)
    }
  }

  /// The keys of the other side, the oldest first.
  /// - Throws: `.notFound` if there is no agreement.
  public func sealedKeys(
    by contact: SealedContactID, for account: AccountID
  ) async throws(StoreError) -> [SealedKey] {
    try await read { database in
      let row = try database.row(
        """
        SELECT CASE WHEN owner = ?2 THEN viewer ELSE owner END FROM sealed_contact
        WHERE id = ?1 AND viewer IS NOT NULL AND (owner = ?2 OR viewer = ?2)
        """, [contact.sql, account.sql])
      guard let other: AccountID = row?.optionalID(0) else { throw StoreError.notFound }
      return try Self.keys(other, database)
    }
  }

  // MARK: Messages

  /// Stores a message for the key's owner.
  /// - Returns: the receiving account.
  /// - Throws: `.notFound` if the key's owner and the sender have no agreement and are not the same; `.taken`
  ///   if the id is in use; `.tooMany` beyond `SealedMessage.most` for the key.
  public func post(_ message: SealedMessage) async throws(StoreError) -> AccountID {
    try await write { database in
      let row = try database.row(
        """
        SELECT account FROM sealed_key JOIN account AS receiver ON receiver.id = sealed_key.account
        WHERE sealed_key.id = ?1 AND NOT receiver.is_erased AND (account = ?2 OR EXISTS (
          SELECT 1 FROM sealed_contact WHERE (owner = ?2 AND viewer = sealed_key.account)
            OR (viewer = ?2 AND owner = sealed_key.account)))
        """, [message.key.sql, message.sender.sql])
      guard let receiver: AccountID = row?.id(0) else { throw StoreError.notFound }
      let waiting = try database.integer(
        "SELECT count(*) FROM sealed_message WHERE sealed_key = ?", [message.key.sql])
      guard waiting ?? 0 < SealedMessage.most else { throw StoreError.tooMany(allowed: SealedMessage.most) }
      try database.insert(
        """
        INSERT INTO sealed_message (id, account, sealed_key, sender, bytes, created_at) VALUES (?, ?, ?, ?, ?, ?)
        """,
        [
          message.id.sql, receiver.sql, message.key.sql, message.sender.sql, Data(message.bytes),
          message.createdAt.sql,
        ])
      try Self.change(.sealed, message.key.rawValue, of: receiver, at: message.createdAt, database)
      return receiver
    }
  }

  /// Returns the messages waiting for a key, the oldest first, and records that its owner has asked.
  public func sealedMessages(
    for key: SealedKeyID, of account: AccountID, limit: Int, at now: Instant
  ) async throws(StoreError) -> [SealedMessage] {
    try await write(.note) { database in
      let known = try database.run(
        "UPDATE sealed_key SET fetched_at = ? WHERE id = ? AND account = ?", [now.sql, key.sql, account.sql])
      guard known == 1 else { throw StoreError.notFound }
      return try database.rows(
        """
        SELECT id, sealed_key, sender, bytes, created_at FROM sealed_message
        WHERE sealed_key = ? AND created_at > ? ORDER BY created_at, id LIMIT ?
        """, [key.sql, (now - SealedMessage.lasts).sql, limit]
      ).map { row in
        SealedMessage(
          id: row.id(0), key: row.id(1), sender: row.id(2), bytes: row.bytes(3), createdAt: row.instant(4))
      }
    }
  }

  /// Deletes messages that were read. Unknown ids and those of other accounts are skipped.
  public func dropSealed(_ ids: [SealedMessageID], of account: AccountID) async throws(StoreError) {
    try await write(.note) { database in
      for id in ids {
        try database.run(
          "DELETE FROM sealed_message WHERE id = ? AND account = ?", [id.sql, account.sql])
      }
    }
  }

  /// Deletes messages that nobody fetched and requests that nobody accepted.
  static func pruneSealed(before now: Instant, limit: Int, _ database: any SQLTransaction) throws -> Int {
    var removed = try database.run(
      "DELETE FROM sealed_message WHERE id IN (SELECT id FROM sealed_message WHERE created_at < ? LIMIT ?)",
      [(now - SealedMessage.lasts).sql, limit])
    guard removed < limit else { return removed }
    removed += try database.run(
      """
      DELETE FROM sealed_contact WHERE id IN
        (SELECT id FROM sealed_contact WHERE viewer IS NULL AND created_at < ? LIMIT ?)
      """, [(now - SealedContact.offerLasts).sql, limit - removed])
    return removed
  }
}
