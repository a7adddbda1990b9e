import AlarmEngine

/// Deputies: people who may answer an owner's alarms, once the owner has offered it and they have accepted.
///
/// A disabled owner's alarms cannot be answered by deputies, since such an owner could not end the right.
extension SQLStore {
  private static func isThere(_ now: Instant) -> SQLArguments { [(now - Deputy.offerLasts).sql] }

  /// Offers the right to the person with that login. The result does not reveal whether such an account
  /// exists.
  /// - Throws: `.taken` if the owner lists that login already; `.tooMany` beyond `Deputy.most`.
  public func create(_ deputy: Deputy) async throws(StoreError) {
    try await write { database in
      _ = try Self.account(deputy.owner, database)
      let listed = try database.rows(
        Self.deputies("deputy.owner = ?2"), Self.isThere(deputy.createdAt) + [deputy.owner.sql]
      ).map { Self.deputy($0) }
      guard listed.count < Deputy.most else { throw StoreError.tooMany(allowed: Deputy.most) }
      let login = deputy.login.asciiLowercased
      guard !listed.contains(where: { $0.login.asciiLowercased == login }) else { throw StoreError.taken }
      try database.insert(
        "INSERT INTO deputy (id, owner, login, created_at) VALUES (?, ?, ?, ?)",
        [deputy.id.sql, deputy.owner.sql, deputy.login, deputy.createdAt.sql])
    }
  }

  /// A query for accepted deputies and for offers made after ?1.
  private static func deputies(_ condition: String) -> String {
    """
    SELECT deputy.id, deputy.owner, coalesce(person.login, deputy.login), deputy.account, deputy.created_at
    FROM deputy LEFT JOIN account AS person ON person.id = deputy.account
    WHERE (deputy.account IS NOT NULL OR deputy.created_at > ?1) AND \(condition)
    ORDER BY lower(coalesce(person.login, deputy.login)), deputy.id
    """
  }

  private static func deputy(_ row: SQLRow) -> Deputy {
    var deputy = Deputy(id: row.id(0), owner: row.id(1), login: row[2], createdAt: row.instant(4))
    deputy.account = row.optionalID(3)
    return deputy
  }

  /// The owner's deputies, sorted by login.
  public func deputies(of owner: AccountID, at now: Instant) async throws(StoreError) -> [Deputy] {
    try await read { database in
      try database.rows(Self.deputies("deputy.owner = ?2"), Self.isThere(now) + [owner.sql]).map {
        Self.deputy($0)
      }
    }
  }

  /// True if the right is offered to the account in the row `person`: to its login, and not accepted yet.
  private static let isOfferedRight =
    "deputy.account IS NULL AND deputy.owner <> person.id AND lower(deputy.login) = lower(person.login)"

  /// Accepts an offer.
  /// - Throws: `.notFound` if no offer with that id is made to the account.
  /// - Returns: the owner of the alarms.
  @discardableResult
  public func accept(
    _ id: DeputyID, by account: AccountID, at now: Instant
  ) async throws(StoreError) -> AccountID {
    try await write { database in
      let row = try database.row(
        """
        SELECT deputy.owner FROM deputy JOIN account AS person ON person.id = ?2
          JOIN account AS owning ON owning.id = deputy.owner
        WHERE deputy.id = ?1 AND \(Self.isOfferedRight) AND deputy.created_at > ?3
          AND NOT owning.is_disabled AND NOT owning.is_erased
        """, [id.sql, account.sql, (now - Deputy.offerLasts).sql])
      guard let row else { throw StoreError.notFound }
      let owner: AccountID = row.id(0)
      // The owner may have named the person twice, by an old and a present login.
      try database.run(
        "DELETE FROM deputy WHERE owner = ? AND account = ?", [owner.sql, account.sql])
      try database.run("UPDATE deputy SET account = ? WHERE id = ?", [account.sql, id.sql])
      return owner
    }
  }

  private static func ended(_ row: SQLRow) -> EndedDeputy {
    EndedDeputy(
      owner: row.id(0), ownerLogin: row[1], answerer: row.optionalID(2), answererLogin: row[3])
  }

  /// Ends a right or withdraws or declines an offer. Both the owner and the deputy may do so.
  @discardableResult
  public func end(_ id: DeputyID, by account: AccountID) async throws(StoreError) -> EndedDeputy {
    try await write { database in
      let row = try database.row(
        """
        SELECT owning.id, owning.login, deputy.account, coalesce(answering.login, deputy.login)
        FROM deputy JOIN account AS owning ON owning.id = deputy.owner JOIN account AS person ON person.id = ?2
          LEFT JOIN account AS answering ON answering.id = deputy.account
        WHERE deputy.id = ?1 AND (deputy.owner = ?2 OR deputy.account = ?2 OR \(Self.isOfferedRight))
        """, [id.sql, account.sql])
      guard let row else { throw StoreError.notFound }
      try database.run("DELETE FROM deputy WHERE id = ?", [id.sql])
      return Self.ended(row)
    }
  }

  private static func setManagerAnswering(
    _ id: GroupMemberID, to isLet: Bool, if condition: String, by account: AccountID,
    _ database: any SQLTransaction
  ) throws -> EndedDeputy {
    let row = try database.row(
      """
      SELECT member.id, member.login, manager.id, manager.login FROM group_member
        JOIN account AS member ON member.id = group_member.account
        JOIN people_group ON people_group.id = group_member.group_id
        JOIN account AS manager ON manager.id = people_group.owner
      WHERE group_member.id = ?1 AND joined_at IS NOT NULL AND ended_at IS NULL AND \(condition)
      """, [id.sql, account.sql])
    guard let row else { throw StoreError.notFound }
    try database.run("UPDATE group_member SET is_deputised = ? WHERE id = ?", [isLet, id.sql])
    return ended(row)
  }

  /// Lets the manager of a member's group answer the member's alarms.
  /// - Throws: `.notFound` if the account does not have that membership.
  @discardableResult
  public func letManagerAnswer(
    _ id: GroupMemberID, by member: AccountID
  ) async throws(StoreError) -> EndedDeputy {
    try await write { database in
      try Self.setManagerAnswering(id, to: true, if: "group_member.account = ?2", by: member, database)
    }
  }

  /// Ends the manager's right to answer. Both the member and the manager may do so. The membership stays.
  @discardableResult
  public func endManagerAnswering(
    _ id: GroupMemberID, by account: AccountID
  ) async throws(StoreError) -> EndedDeputy {
    try await write { database in
      try Self.setManagerAnswering(
        id, to: false, if: "is_deputised AND (group_member.account = ?2 OR people_group.owner = ?2)",
        by: account, database)
    }
  }

  /// The people whose alarms the account may answer, or who offer it that; sorted by the owner's login.
  public func deputyFor(_ account: AccountID, at now: Instant) async throws(StoreError) -> [DeputyFor] {
    try await read { database in
      let named = try database.rows(
        """
        SELECT deputy.id, deputy.account, owning.id, owning.login, owning.name FROM deputy
          JOIN account AS owning ON owning.id = deputy.owner JOIN account AS person ON person.id = ?1
        WHERE (deputy.account = ?1 OR \(Self.isOfferedRight) AND deputy.created_at > ?2)
          AND NOT owning.is_disabled AND NOT owning.is_erased ORDER BY deputy.id
        """, [account.sql, (now - Deputy.offerLasts).sql]
      ).map { row in
        DeputyFor(
          right: .deputy(row.id(0), isAccepted: row.optionalID(1, AccountID.self) != nil), owner: row.id(2),
          ownerLogin: row[3], ownerName: row[4])
      }
      let managed = try database.rows(
        """
        SELECT group_member.id, people_group.name, owning.id, owning.login, owning.name FROM group_member
          JOIN people_group ON people_group.id = group_member.group_id
          JOIN account AS owning ON owning.id = group_member.account
        WHERE people_group.owner = ? AND is_deputised AND joined_at IS NOT NULL AND ended_at IS NULL
          AND NOT owning.is_disabled AND NOT owning.is_erased ORDER BY group_member.id
        """, [account.sql]
      ).map { row in
        DeputyFor(
          right: .manager(row.id(0), groupName: row[1]), owner: row.id(2), ownerLogin: row[3],
          ownerName: row[4])
      }
      return (named + managed).enumerated().sorted {
        ($0.element.ownerLogin.asciiLowercased, $0.offset) < (
          $1.element.ownerLogin.asciiLowercased, $1.offset
        )
      }.map(\.element)
    }
  }

  /// The condition on a row `owning` that the account ?1 may answer that owner's alarms.
  private static let mayAnswer = """
    owning.id <> ?1 AND NOT owning.is_disabled AND NOT owning.is_erased AND (
      EXISTS (SELECT 1 FROM deputy WHERE deputy.owner = owning.id AND deputy.account = ?1)
      OR EXISTS (SELECT 1 FROM group_member JOIN people_group ON people_group.id = group_member.group_id
        WHERE group_member.account = owning.id AND people_group.owner = ?1 AND group_member.is_deputised
          AND group_member.joined_at IS NOT NULL AND group_member.ended_at IS NULL))
    """

  private static func othersAlarms(
    _ rows: [SQLRow], _ database: any SQLTransaction
  ) throws -> [OthersAlarm] {
    try rows.compactMap { row in
      try Self.alarm(row.id(0), database).map {
        OthersAlarm(alarm: $0, ownerLogin: row[1], ownerName: row[2], deviceName: row[3])
      }
    }
  }

  /// Open alarms of all owners whose alarms the account may answer, in descending order of beginning.
  public func othersAlarms(
    answerableBy account: AccountID, limit: Int
  ) async throws(StoreError) -> [OthersAlarm] {
    try await read { database in
      try Self.othersAlarms(
        database.rows(
          """
          SELECT alarm.id, owning.login, owning.name, coalesce(device.name, '') FROM account AS owning
            JOIN alarm ON alarm.account = owning.id LEFT JOIN device ON device.id = alarm.device
          WHERE \(Self.mayAnswer) AND alarm.is_open ORDER BY alarm.began DESC, alarm.id DESC LIMIT ?2
          """, [account.sql, limit]), database)
    }
  }

  /// - Throws: `.notFound` if there is no such alarm or the account may not answer it.
  public func othersAlarm(
    _ id: AlarmID, answerableBy account: AccountID
  ) async throws(StoreError) -> OthersAlarm {
    try await read { database in
      let found = try Self.othersAlarms(
        database.rows(
          """
          SELECT alarm.id, owning.login, owning.name, coalesce(device.name, '') FROM account AS owning
            JOIN alarm ON alarm.account = owning.id LEFT JOIN device ON device.id = alarm.device
          WHERE \(Self.mayAnswer) AND alarm.id = ?2
          """, [account.sql, id.sql]), database)
      guard let alarm = found.first else { throw StoreError.notFound }
      return alarm
    }
  }
}
