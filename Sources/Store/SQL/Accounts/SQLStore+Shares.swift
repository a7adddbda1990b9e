import AlarmEngine

/// Shares: permissions to see where a device is.
///
/// A share that has ended, by its time or by either side, is `.notFound` for everybody. So is one whose owner
/// is disabled.
extension SQLStore {
  private static let columns = """
    share.id, share.owner, share.device, share.login, share.hash, share.viewer, share.name, share.accuracy,
      share.created_at, share.ends_at, share.zone, share.looked_to
    """

  private static func share(_ row: SQLRow) throws -> Share {
    let receiver: Share.Receiver
    switch (row[3] as String?, row.optionalInstant(9)) {
    case (let login?, let end): receiver = .person(login: login, until: end)
    case (nil, let end?): receiver = .link(TokenHash(row.bytes(4)), until: end)
    case (nil, nil):
      throw StoreError.corrupted(detail: "share \(row.id(0) as ShareID) is a link without an end")
    }
    guard let precision = Share.Precision(rawValue: row[7]) else {
      throw StoreError.corrupted(detail: "share \(row.id(0) as ShareID) has no known accuracy")
    }
    var share = Share(
      id: row.id(0), owner: row.id(1), device: row.id(2), receiver: receiver, name: row[6],
      precision: precision, createdAt: row.instant(8), endsIn: row.optionalID(10))
    share.viewer = row.optionalID(5)
    share.lookedTo = row.optionalInstant(11)
    return share
  }

  private static func received(_ row: SQLRow) throws -> ReceivedShare {
    ReceivedShare(share: try share(row), ownerName: row[12], ownerLogin: row[13], deviceName: row[14])
  }

  /// A query for shares that are valid at ?1. An offer must have been made after ?2. A link without an end, which
  /// this program does not write, counts as ended.
  private static func holding(_ condition: String) -> String {
    """
    SELECT \(columns), account.name, account.login, device.name
    FROM share JOIN account ON account.id = share.owner JOIN device ON device.id = share.device
    WHERE (share.ends_at IS NULL AND share.login IS NOT NULL OR share.ends_at > ?1)
      AND (share.viewer IS NOT NULL OR share.login IS NULL OR share.created_at > ?2)
      AND NOT account.is_disabled AND NOT account.is_erased AND \(condition)
    """
  }

  private static func times(_ now: Instant) -> SQLArguments { [now.sql, (now - Share.offerLasts).sql] }

  /// True if the share is offered to the account in the row `viewing`: to its login, and not accepted yet.
  private static let isOffered = "share.viewer IS NULL AND lower(share.login) = lower(viewing.login)"

  /// - Throws: `.notFound` if the device is not the owner's; `.taken`; `.tooMany` beyond `Share.most`.
  public func create(_ share: Share) async throws(StoreError) {
    try await write { database in
      _ = try Self.device(share.device, of: share.owner, database)
      try Self.refusePrivate(share.owner, database)
      let count = try database.integer("SELECT count(*) FROM share WHERE owner = ?", [share.owner.sql])
      guard count ?? 0 < Share.most else { throw StoreError.tooMany(allowed: Share.most) }
      let (login, hash): (String?, TokenHash?) =
        switch share.receiver {
        case .person(let login, _): (login, nil)
        case .link(let hash, _): (nil, hash)
        }
      try database.insert(
        """
        INSERT INTO share (id, owner, device, login, hash, viewer, name, accuracy, created_at, ends_at, zone, looked_to)
        VALUES (?, ?, ?, ?, ?, NULL, ?, ?, ?, ?, ?, ?)
        """,
        [
          share.id.sql, share.owner.sql, share.device.sql, login, hash?.sql, share.name,
          share.precision.rawValue, share.createdAt.sql, share.endsAt?.sql, share.endsIn?.sql,
          share.createdAt.sql,
        ])
    }
  }

  /// Saves `precision`, `endsAt` and `endsIn`. If `endsIn` changes, positions from `now` on are compared with
  /// it.
  /// - Throws: `.notFound` if the share is not the owner's.
  public func save(_ share: Share, at now: Instant) async throws(StoreError) {
    try await write { database in
      let saved = try database.run(
        """
        UPDATE share SET accuracy = ?3, ends_at = ?4, zone = ?5,
          looked_to = CASE WHEN zone IS NOT DISTINCT FROM ?5 THEN looked_to ELSE ?6 END
        WHERE id = ?1 AND owner = ?2 AND (ends_at IS NULL OR ends_at > ?6)
        """,
        [
          share.id.sql, share.owner.sql, share.precision.rawValue, share.endsAt?.sql, share.endsIn?.sql,
          now.sql,
        ])
      guard saved == 1 else { throw StoreError.notFound }
      try Self.companionsMayEnd(where: "companion.target = ?3", share.device.sql, at: now, database)
    }
  }

  /// The owner's shares, the latest first.
  public func shares(of owner: AccountID, at now: Instant) async throws(StoreError) -> [Share] {
    try await read { database in
      try database.rows(
        Self.holding("share.owner = ?3 ORDER BY share.created_at DESC, share.id"),
        Self.times(now) + [owner.sql]
      ).map { try Self.share($0) }
    }
  }

  /// The shares given or offered to the account, sorted by the owner's login, then by device name.
  public func shares(with viewer: AccountID, at now: Instant) async throws(StoreError) -> [ReceivedShare] {
    try await read { database in
      try database.rows(
        Self.holding(
          """
          (share.viewer = ?3 OR share.id IN
            (SELECT share.id FROM share JOIN account AS viewing ON viewing.id = ?3 WHERE \(Self.isOffered)))
          AND share.owner <> ?3 ORDER BY lower(account.login), device.name, share.id
          """), Self.times(now) + [viewer.sql]
      ).map { try Self.received($0) }
    }
  }

  public func share(_ link: TokenHash, at now: Instant) async throws(StoreError) -> ReceivedShare {
    try await read { database in
      let row = try database.row(Self.holding("share.hash = ?3"), Self.times(now) + [link.sql])
      guard let row else { throw StoreError.notFound }
      return try Self.received(row)
    }
  }

  /// - Throws: `.notFound` if no share with that id is offered to the account.
  public func accept(_ id: ShareID, by viewer: AccountID, at now: Instant) async throws(StoreError) {
    try await write { database in
      let offered = try database.row(
        Self.holding(
          """
          share.id = ?3 AND share.owner <> ?4
            AND EXISTS (SELECT 1 FROM account AS viewing WHERE viewing.id = ?4 AND \(Self.isOffered))
          """), Self.times(now) + [id.sql, viewer.sql])
      guard offered != nil else { throw StoreError.notFound }
      try database.run("UPDATE share SET viewer = ? WHERE id = ?", [viewer.sql, id.sql])
    }
  }

  /// Ends a share for both sides, or withdraws or declines an offer.
  /// - Throws: `.notFound` if the account is neither the owner nor the receiver, and is not offered the
  ///   share.
  public func end(_ id: ShareID, by account: AccountID, at now: Instant) async throws(StoreError) {
    try await write { database in
      let device = try database.integer("SELECT device FROM share WHERE id = ?", [id.sql])
      let ended = try database.run(
        """
        DELETE FROM share WHERE id = ?1 AND (owner = ?2 OR viewer = ?2
          OR EXISTS (SELECT 1 FROM account AS viewing WHERE viewing.id = ?2 AND \(Self.isOffered)))
        """, [id.sql, account.sql])
      guard ended == 1, let device else { throw StoreError.notFound }
      try Self.companionsMayEnd(where: "companion.target = ?3", device, at: now, database)
    }
  }

  /// Records the time through which the device is known not to have arrived in the zone.
  public func note(_ id: ShareID, lookedTo time: Instant) async throws(StoreError) {
    try await write(.note) { database in
      _ = try database.run(
        "UPDATE share SET looked_to = ?2 WHERE id = ?1 AND looked_to < ?2", [id.sql, time.sql])
    }
  }
}
