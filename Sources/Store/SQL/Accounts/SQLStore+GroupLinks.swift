import AlarmEngine

/// Links by which people join groups. An ended link is `.notFound` for everybody, and so is one of a disabled
/// manager.
extension SQLStore {
  // MARK: For managers

  /// Creates links of one group, all or none.
  /// - Throws: `.notFound` if the group is not the owner's; `.tooMany` beyond `GroupLink.most`; `.taken` if the
  ///   group has a link that has not ended for the mail address of one of them.
  public func create(
    _ links: [(link: GroupLink, hash: TokenHash)], owner: AccountID
  ) async throws(StoreError) {
    guard let first = links.first?.link else { return }
    precondition(links.allSatisfy { $0.link.group == first.group }, "the links are of one group")
    try await write { database in
      let (group, now) = (first.group, first.createdAt)
      _ = try Self.owned(group, by: owner, at: now, database)
      let count = try database.integer(
        "SELECT count(*) FROM group_link WHERE group_id = ? AND ends_at > ?", [group.sql, now.sql])
      guard Int(count ?? 0) + links.count <= GroupLink.most else {
        throw StoreError.tooMany(allowed: GroupLink.most)
      }
      for (link, hash) in links { try Self.insert(link, hash, database) }
    }
  }

  public func create(
    _ link: GroupLink, hash: TokenHash, owner: AccountID
  ) async throws(StoreError) {
    try await create([(link, hash)], owner: owner)
  }

  private static func insert(_ link: GroupLink, _ hash: TokenHash, _ database: any SQLTransaction) throws {
    if let mail = link.mail {
      let known = try database.integer(
        "SELECT 1 FROM group_link WHERE group_id = ? AND ends_at > ? AND lower(mail) = ? LIMIT 1",
        [link.group.sql, link.createdAt.sql, mail.asciiLowercased])
      guard known == nil else { throw StoreError.taken }
    }
    try database.insert(
      """
      INSERT INTO group_link (id, group_id, hash, people, joined, created_at, ends_at, makes_accounts, note, login,
        mail) VALUES (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?)
      """,
      [
        link.id.sql, link.group.sql, hash.sql, link.people, link.createdAt.sql, link.endsAt.sql,
        link.makesAccounts, link.note, link.login, link.mail,
      ])
  }

  /// Marks the mail of a link as accepted by the mail server.
  /// - Throws: `.notFound` if the group is not the owner's or does not have the link.
  public func noteMailed(
    _ id: GroupLinkID, of group: GroupID, owner: AccountID, at now: Instant
  ) async throws(StoreError) {
    try await write { database in
      let marked = try database.run(
        """
        UPDATE group_link SET mailed_at = ?1 WHERE id = ?2 AND group_id = ?3
          AND group_id IN (SELECT id FROM people_group WHERE owner = ?4)
        """, [now.sql, id.sql, group.sql, owner.sql])
      guard marked == 1 else { throw StoreError.notFound }
    }
  }

  /// The links of a group that have not ended, the latest first.
  public func links(
    of group: GroupID, owner: AccountID, at now: Instant
  ) async throws(StoreError) -> [GroupLink] {
    try await read { database in
      _ = try Self.owned(group, by: owner, at: now, database)
      let uses = try Self.uses(ofLinksOf: group, database)
      return try database.rows(
        """
        SELECT id, people, created_at, ends_at, joined, makes_accounts, note, login, mail, mailed_at FROM group_link
        WHERE group_id = ? AND ends_at > ? ORDER BY created_at DESC, id
        """, [group.sql, now.sql]
      ).map { row in
        let link = GroupLink(
          id: row.id(0), group: group, people: row[1], createdAt: row.instant(2), endsAt: row.instant(3),
          makesAccounts: row[5])
        guard var link else {
          throw StoreError.corrupted(detail: "the link \(row.id(0) as GroupLinkID) is out of its range")
        }
        (link.joined, link.note, link.login, link.mail) = (row[4], row[6], row[7], row[8])
        link.mailedAt = row.optionalInstant(9)
        link.uses = uses[link.id] ?? []
        return link
      }
    }
  }

  private static func uses(
    ofLinksOf group: GroupID, _ database: any SQLTransaction
  ) throws -> [GroupLinkID: [GroupLink.Use]] {
    let rows = try database.rows(
      """
      SELECT link, account.login, joined_at FROM group_member JOIN account ON account.id = group_member.account
      WHERE group_id = ? AND link IS NOT NULL AND joined_at IS NOT NULL ORDER BY joined_at, group_member.id
      """, [group.sql])
    return Dictionary(grouping: rows) { $0.id(0) as GroupLinkID }.mapValues { rows in
      rows.map { GroupLink.Use(login: $0[1], at: $0.instant(2)) }
    }
  }

  /// Ends a link at once. Members who joined by it stay.
  /// - Throws: `.notFound` if the group is not the owner's or does not have the link.
  public func endLink(
    _ id: GroupLinkID, of group: GroupID, owner: AccountID
  ) async throws(StoreError) {
    try await write { database in
      let ended = try database.run(
        """
        DELETE FROM group_link WHERE id = ?1 AND group_id = ?2
          AND group_id IN (SELECT id FROM people_group WHERE owner = ?3)
        """, [id.sql, group.sql, owner.sql])
      guard ended == 1 else { throw StoreError.notFound }
    }
  }

  // MARK: For members

  /// - Parameter account: nil for a person who has none yet: the link has to be one that makes accounts.
  private static func group(
    behind link: TokenHash, for account: AccountID?, at now: Instant, _ database: any SQLTransaction
  ) throws -> OfferedGroup {
    let row = try database.row(
      """
      SELECT group_id, people, joined, makes_accounts FROM group_link
        JOIN people_group ON people_group.id = group_link.group_id
        JOIN account AS manager ON manager.id = people_group.owner
      WHERE group_link.hash = ? AND ends_at > ? AND NOT manager.is_disabled AND NOT manager.is_erased
      """, [link.sql, now.sql])
    guard let row, account != nil || row[3] else { throw StoreError.notFound }
    let (people, joined): (Int, Int) = (row[1], row[2])
    let isOpen = try joined < people || account.map { try isMember($0, of: row.id(0), database) } ?? false
    guard isOpen else { throw StoreError.usedUp(allowed: people) }
    return try offered(row.id(0), database)
  }

  /// The group that a link invites the account to.
  /// - Throws: `.notFound`; `.usedUp`, unless the account is a member.
  public func offeredGroup(
    _ link: TokenHash, to account: AccountID, at now: Instant
  ) async throws(StoreError) -> OfferedGroup {
    try await read { try Self.group(behind: link, for: account, at: now, $0) }
  }

  /// The group that a link invites a person without an account to, and the name and login of the account as far as
  /// the link proposes them.
  /// - Throws: `.notFound`, also if the link makes no accounts; `.usedUp`.
  public func accountOffer(
    by link: TokenHash, at now: Instant
  ) async throws(StoreError) -> (group: OfferedGroup, name: String, login: String?) {
    try await read { database in
      let group = try Self.group(behind: link, for: nil, at: now, database)
      let row = try database.row("SELECT note, login FROM group_link WHERE hash = ?", [link.sql])
      guard let row else { throw StoreError.notFound }
      return (group, row[0], row[1])
    }
  }

  /// Joins the group of a link. A present member stays unchanged, and is not counted again.
  /// - Throws: `.notFound` if the link is not valid, or for the manager; `.usedUp`; `.tooMany` if the group is
  ///   full.
  /// - Returns: `isNew` is false if the account was a member already.
  @discardableResult
  public func join(
    _ link: TokenHash, by account: AccountID, at now: Instant
  ) async throws(StoreError) -> (group: OfferedGroup, isNew: Bool) {
    try await write { database in
      let group = try Self.group(behind: link, for: account, at: now, database)
      guard group.manager != account else { throw StoreError.notFound }
      let person = try Self.account(account, database)
      guard try !Self.isMember(account, of: group.id, database) else { return (group, false) }
      try Self.checkRoom(in: group.id, at: now, database)
      try Self.takePlace(of: link, in: group, for: person, at: now, database)
      return (group, true)
    }
  }

  /// Creates an account that joins the group of a link that makes accounts. Without a place there is no
  /// account.
  /// - Throws: `.notFound` if the link is not valid or makes no accounts; `.usedUp`; `.taken` if the login is in
  ///   use; `.tooMany` if the group is full.
  public func create(
    _ account: Account, joiningBy link: TokenHash
  ) async throws(StoreError) -> OfferedGroup {
    try await write { database in
      let now = account.createdAt
      let group = try Self.group(behind: link, for: nil, at: now, database)
      try Self.checkRoom(in: group.id, at: now, database)
      try Self.insert(account, database)
      try Self.takePlace(of: link, in: group, for: account, at: now, database)
      return group
    }
  }

  /// Edits exclude each other, in PostgreSQL too: nobody has taken the place since it was found free.
  private static func takePlace(
    of link: TokenHash, in group: OfferedGroup, for person: Account, at now: Instant,
    _ database: any SQLTransaction
  ) throws {
    try database.run("UPDATE group_link SET joined = joined + 1 WHERE hash = ?", [link.sql])
    try database.run(
      """
      DELETE FROM group_member WHERE group_id = ? AND account IS NULL AND ended_at IS NULL
        AND lower(login) = ?
      """, [group.id.sql, person.login.asciiLowercased])
    try database.insert(
      """
      INSERT INTO group_member (id, group_id, account, created_at, joined_at, link)
      VALUES (?, ?, ?, ?, ?, (SELECT id FROM group_link WHERE hash = ?))
      """, [GroupMemberID.random().sql, group.id.sql, person.id.sql, now.sql, now.sql, link.sql])
    try giveAll(group, to: person.id, at: now, database)
  }
}
