import AlarmEngine

/// Groups of people to whom a manager gives collections of zones.
///
/// An expired invitation is `.notFound` for everybody, and so is one of a disabled manager.
extension SQLStore {
  private static func groups(_ condition: String) -> String {
    """
    SELECT people_group.id, people_group.owner, people_group.name, people_group.created_at,
      (SELECT max(ends_at) FROM group_link WHERE group_link.group_id = people_group.id AND joined < people),
      (SELECT count(*) FROM group_member WHERE group_member.group_id = people_group.id AND \(isMemberNow))
    FROM people_group WHERE \(condition) ORDER BY lower(people_group.name), people_group.name, people_group.id
    """
  }

  static let isMemberNow = "group_member.joined_at IS NOT NULL AND group_member.ended_at IS NULL"

  private static func group(
    _ row: SQLRow, at now: Instant, _ database: any SQLTransaction
  ) throws -> PeopleGroup {
    var group = PeopleGroup(id: row.id(0), owner: row.id(1), name: row[2], createdAt: row.instant(3))
    group.linkEndsAt = row.optionalInstant(4).flatMap { $0 > now ? $0 : nil }
    group.memberCount = row[5]
    group.collections = try collections(of: group.id, database)
    return group
  }

  private static func collections(
    of group: GroupID, _ database: any SQLTransaction
  ) throws -> [PeopleGroup.GivenCollection] {
    try database.rows(
      """
      SELECT collection.id, collection.name FROM group_collection
      JOIN collection ON collection.id = group_collection.collection WHERE group_id = ?
      ORDER BY lower(collection.name), collection.name, collection.id
      """, [group.sql]
    ).map { .init(id: $0.id(0), name: $0[1]) }
  }

  /// - Throws: `.notFound` if the group is not the owner's.
  static func owned(
    _ id: GroupID, by owner: AccountID, at now: Instant, _ database: any SQLTransaction
  ) throws -> PeopleGroup {
    let row = try database.row(
      groups("people_group.id = ? AND people_group.owner = ?"), [id.sql, owner.sql])
    guard let row else { throw StoreError.notFound }
    return try group(row, at: now, database)
  }

  private static func membersNow(of group: GroupID, _ database: any SQLTransaction) throws -> [AccountID] {
    try database.rows(
      "SELECT account FROM group_member WHERE group_id = ? AND \(isMemberNow) ORDER BY account", [group.sql]
    ).map { $0.id(0) }
  }

  static func offered(_ id: GroupID, _ database: any SQLTransaction) throws -> OfferedGroup {
    let row = try database.row(
      """
      SELECT people_group.id, people_group.name, manager.id, manager.login, manager.name FROM people_group
      JOIN account AS manager ON manager.id = people_group.owner WHERE people_group.id = ?
      """, [id.sql])
    guard let row else { throw StoreError.notFound }
    return OfferedGroup(
      id: row.id(0), name: row[1], manager: row.id(2), managerLogin: row[3], managerName: row[4],
      collections: try collections(of: id, database))
  }

  // MARK: For managers

  /// - Throws: `.tooMany` beyond `PeopleGroup.most`.
  public func create(_ group: PeopleGroup) async throws(StoreError) {
    try await write { database in
      _ = try Self.account(group.owner, database)
      let count = try database.integer(
        "SELECT count(*) FROM people_group WHERE owner = ?", [group.owner.sql])
      guard count ?? 0 < PeopleGroup.most else { throw StoreError.tooMany(allowed: PeopleGroup.most) }
      try database.insert(
        "INSERT INTO people_group (id, owner, name, created_at) VALUES (?, ?, ?, ?)",
        [group.id.sql, group.owner.sql, group.name, group.createdAt.sql])
    }
  }

  public func rename(_ id: GroupID, to name: String, of owner: AccountID) async throws(StoreError) {
    try await write { database in
      let renamed = try database.run(
        "UPDATE people_group SET name = ? WHERE id = ? AND owner = ?", [name, id.sql, owner.sql])
      guard renamed == 1 else { throw StoreError.notFound }
    }
  }

  /// Deletes a group and ends its memberships.
  /// - Returns: the former members.
  @discardableResult
  public func deleteGroup(
    _ id: GroupID, of owner: AccountID, at now: Instant
  ) async throws(StoreError) -> [AccountID] {
    try await write { database in
      let group = try Self.owned(id, by: owner, at: now, database)
      let members = try Self.membersNow(of: id, database)
      try database.run("DELETE FROM people_group WHERE id = ?", [id.sql])
      for collection in group.collections {
        for member in members {
          try Self.takeBack(collection.id, of: owner, fromMember: member, at: now, database)
        }
      }
      return members
    }
  }

  /// The owner's groups, sorted by name.
  public func groups(of owner: AccountID, at now: Instant) async throws(StoreError) -> [PeopleGroup] {
    try await read { database in
      try database.rows(Self.groups("people_group.owner = ?"), [owner.sql]).map {
        try Self.group($0, at: now, database)
      }
    }
  }

  public func group(
    _ id: GroupID, of owner: AccountID, at now: Instant
  ) async throws(StoreError) -> PeopleGroup {
    try await read { try Self.owned(id, by: owner, at: now, $0) }
  }

  /// Lets all present and future members of a group follow a collection. It does not make them follow it.
  /// - Throws: `.notFound` if one of the two is not the owner's; `.tooMany`.
  /// - Returns: the members.
  @discardableResult
  public func give(
    _ collection: CollectionID, to group: GroupID, of owner: AccountID, at now: Instant
  ) async throws(StoreError) -> [AccountID] {
    try await write { database in
      let found = try Self.owned(group, by: owner, at: now, database)
      let isOwn = try database.integer(
        "SELECT 1 FROM collection WHERE id = ? AND owner = ?", [collection.sql, owner.sql])
      guard isOwn != nil else { throw StoreError.notFound }
      guard !found.collections.contains(where: { $0.id == collection }) else { return [] }
      guard found.collections.count < PeopleGroup.mostCollections else {
        throw StoreError.tooMany(allowed: PeopleGroup.mostCollections)
      }
      try database.run(
        "INSERT INTO group_collection (group_id, collection) VALUES (?, ?)", [group.sql, collection.sql])
      let members = try Self.membersNow(of: group, database)
      for member in members {
        try Self.give(collection, of: owner, toMember: member, at: now, database)
      }
      return members
    }
  }

  /// Takes a collection back from a group. Members with no other permission stop following it.
  /// - Throws: `.notFound` if the group did not have it.
  /// - Returns: the members.
  @discardableResult
  public func takeBack(
    _ collection: CollectionID, from group: GroupID, of owner: AccountID, at now: Instant
  ) async throws(StoreError) -> [AccountID] {
    try await write { database in
      _ = try Self.owned(group, by: owner, at: now, database)
      let taken = try database.run(
        "DELETE FROM group_collection WHERE group_id = ? AND collection = ?", [group.sql, collection.sql])
      guard taken == 1 else { throw StoreError.notFound }
      let members = try Self.membersNow(of: group, database)
      for member in members {
        try Self.takeBack(collection, of: owner, fromMember: member, at: now, database)
      }
      return members
    }
  }

  /// Invites the person with that login. The result does not reveal whether such an account exists.
  /// - Throws: `.taken` if the group lists that login already; `.tooMany`.
  public func invite(
    _ login: String, as id: GroupMemberID, to group: GroupID, of owner: AccountID, at now: Instant
  ) async throws(StoreError) {
    try await write { database in
      _ = try Self.owned(group, by: owner, at: now, database)
      try Self.checkRoom(in: group, at: now, database)
      // Compare only with logins that the manager's own list shows, so that the result reveals nothing else.
      let listed = try database.integer(
        """
        SELECT 1 FROM group_member LEFT JOIN account AS person ON person.id = group_member.account
        WHERE group_id = ? AND ended_at IS NULL AND (joined_at IS NOT NULL OR group_member.created_at > ?)
          AND lower(coalesce(person.login, group_member.login)) = ?
        """, [group.sql, (now - PeopleGroup.invitationLasts).sql, login.asciiLowercased])
      guard listed == nil else { throw StoreError.taken }
      try database.insert(
        "INSERT INTO group_member (id, group_id, login, created_at) VALUES (?, ?, ?, ?)",
        [id.sql, group.sql, login, now.sql])
    }
  }

  static func checkRoom(
    in group: GroupID, at now: Instant, _ database: any SQLTransaction
  ) throws {
    let count = try database.integer(
      """
      SELECT count(*) FROM group_member WHERE group_id = ? AND ended_at IS NULL
        AND (joined_at IS NOT NULL OR created_at > ?)
      """, [group.sql, (now - PeopleGroup.invitationLasts).sql])
    guard count ?? 0 < PeopleGroup.mostMembers else {
      throw StoreError.tooMany(allowed: PeopleGroup.mostMembers)
    }
  }

  // MARK: For members

  static func isMember(
    _ account: AccountID, of group: GroupID, _ database: any SQLTransaction
  ) throws -> Bool {
    try database.integer(
      "SELECT 1 FROM group_member WHERE group_id = ? AND account = ? AND \(isMemberNow)",
      [group.sql, account.sql]) != nil
  }

  static func giveAll(
    _ group: OfferedGroup, to account: AccountID, at now: Instant, _ database: any SQLTransaction
  ) throws {
    for collection in group.collections {
      try give(collection.id, of: group.manager, toMember: account, at: now, database)
    }
  }

  /// True if the account in the row `person` is invited: by its login, with an invitation that is not
  /// accepted yet.
  static let isInvited = """
    group_member.account IS NULL AND group_member.ended_at IS NULL
      AND lower(group_member.login) = lower(person.login)
    """

  /// - Throws: `.notFound` if the account does not have that invitation.
  @discardableResult
  public func accept(
    _ id: GroupMemberID, by account: AccountID, at now: Instant
  ) async throws(StoreError) -> OfferedGroup {
    try await write { database in
      let row = try database.row(
        """
        SELECT group_member.group_id FROM group_member
          JOIN people_group ON people_group.id = group_member.group_id
          JOIN account AS manager ON manager.id = people_group.owner
          JOIN account AS person ON person.id = ?2
        WHERE group_member.id = ?1 AND \(Self.isInvited) AND group_member.created_at > ?3
          AND people_group.owner <> ?2 AND NOT manager.is_disabled AND NOT manager.is_erased
        """, [id.sql, account.sql, (now - PeopleGroup.invitationLasts).sql])
      guard let row else { throw StoreError.notFound }
      let group = try Self.offered(row.id(0), database)
      if try Self.isMember(account, of: group.id, database) {
        try database.run("DELETE FROM group_member WHERE id = ?", [id.sql])
        return group
      }
      try database.run(
        "UPDATE group_member SET account = ?, joined_at = ? WHERE id = ?", [account.sql, now.sql, id.sql])
      try Self.giveAll(group, to: account, at: now, database)
      return group
    }
  }

  /// Ends a membership or an invitation. Both the member and the manager may do so.
  @discardableResult
  public func end(
    _ id: GroupMemberID, by account: AccountID, at now: Instant
  ) async throws(StoreError) -> EndedMembership {
    try await write { database in
      let row = try database.row(
        """
        SELECT group_member.group_id, group_member.account, coalesce(owner_of.login, group_member.login, '')
        FROM group_member JOIN people_group ON people_group.id = group_member.group_id
          JOIN account AS person ON person.id = ?2
          LEFT JOIN account AS owner_of ON owner_of.id = group_member.account
        WHERE group_member.id = ?1 AND group_member.ended_at IS NULL
          AND (people_group.owner = ?2 OR group_member.account = ?2 OR \(Self.isInvited))
        """, [id.sql, account.sql])
      guard let row else { throw StoreError.notFound }
      let group = try Self.offered(row.id(0), database)
      let member: AccountID? = row.optionalID(1)
      let ended = EndedMembership(group: group, account: member, login: row[2])
      guard let member else {
        try database.run("DELETE FROM group_member WHERE id = ?", [id.sql])
        return ended
      }
      let side = account == member ? GroupMember.Side.member : .manager
      try database.run(
        "UPDATE group_member SET ended_at = ?, ended_by = ?, is_deputised = FALSE WHERE id = ?",
        [now.sql, side.rawValue, id.sql])
      for collection in group.collections {
        try Self.takeBack(collection.id, of: group.manager, fromMember: member, at: now, database)
      }
      return ended
    }
  }
}
