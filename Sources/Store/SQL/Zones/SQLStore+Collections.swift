import AlarmEngine

/// Collections of zones, published by one account and followed read-only by others (S130).
extension SQLStore {
  private static let columns =
    "collection.id, owner, collection.name, about, is_public, collection.created_at, collection.revision"

  private static func collection(_ row: SQLRow) -> ZoneCollection {
    ZoneCollection(
      id: row.id(0), owner: row.id(1), name: row[2], about: row[3], isPublic: row[4],
      createdAt: row.instant(5), revision: row.revision(6))
  }

  private static func owned(
    _ id: CollectionID, by owner: AccountID, _ database: any SQLTransaction
  ) throws -> ZoneCollection {
    let row = try database.row(
      "SELECT \(columns) FROM collection WHERE id = ? AND owner = ?", [id.sql, owner.sql])
    guard let row else { throw StoreError.notFound }
    return collection(row)
  }

  /// A query for the collections that the account ?1 may see, with a further condition that takes one or more
  /// arguments.
  private static func visible(_ condition: String) -> String {
    """
    SELECT \(columns), account.name,
      (SELECT count(*) FROM zone WHERE zone.collection = collection.id AND NOT zone.is_deleted),
      EXISTS (SELECT 1 FROM follow WHERE follow.collection = collection.id AND follow.account = ?1)
    FROM collection JOIN account ON account.id = owner
    WHERE (owner = ?1 OR is_public OR EXISTS (SELECT 1 FROM membership
        WHERE membership.collection = collection.id AND \(belongs(to: "?1"))))
      AND NOT account.is_erased AND \(condition)
    """
  }

  private static func visibleCollection(_ row: SQLRow) -> VisibleCollection {
    VisibleCollection(
      collection: collection(row), ownerName: row[7], zoneCount: row[8], isFollowed: row[9])
  }

  private static func visible(
    _ id: CollectionID, by account: AccountID, _ database: any SQLTransaction
  ) throws -> VisibleCollection {
    let row = try database.row(visible("collection.id = ?2"), [account.sql, id.sql])
    guard let row else { throw StoreError.notFound }
    return visibleCollection(row)
  }

  public func create(_ collection: ZoneCollection) async throws(StoreError) {
    try await write { database in
      try Self.refusePrivate(collection.owner, database)
      try database.insert(
        """
        INSERT INTO collection (id, owner, name, about, is_public, created_at, revision)
        VALUES (?, ?, ?, ?, ?, ?, 1)
        """,
        [
          collection.id.sql, collection.owner.sql, collection.name, collection.about, collection.isPublic,
          collection.createdAt.sql,
        ])
      try Self.change(
        .collection, collection.id.rawValue, of: collection.owner, at: collection.createdAt, database)
    }
  }

  /// - Throws: `.notFound` if the collection is not the owner's.
  @discardableResult
  public func save(
    _ collection: ZoneCollection, over revision: Revision, at now: Instant
  ) async throws(StoreError) -> ZoneCollection {
    try await write { database in
      let stored = try Self.owned(collection.id, by: collection.owner, database)
      guard stored.revision == revision else { throw StoreError.stale(stored: stored.revision) }
      try Self.keepFormer(
        follows: "collection.id = ? AND collection.is_public AND NOT ? AND NOT \(Self.isMember)",
        [collection.id.sql, collection.isPublic], at: now, database)
      try database.run(
        "UPDATE collection SET name = ?, about = ?, is_public = ?, revision = revision + 1 WHERE id = ?",
        [collection.name, collection.about, collection.isPublic, collection.id.sql])
      try Self.change(.collection, collection.id.rawValue, of: collection.owner, at: now, database)
      if collection.isPublic != stored.isPublic {
        if collection.isPublic {
          try database.run(
            "UPDATE follow SET watched_since = ? WHERE collection = ? AND NOT \(Self.isMember)",
            [try Self.zoneEdit(database), collection.id.sql])
        }
        try Self.zoneSetChanged(of: collection.owner, [collection.id], at: now, database)
      }
      return try Self.owned(collection.id, by: collection.owner, database)
    }
  }

  /// Deletes the collection. Its zones stay with the owner, unpublished.
  public func deleteCollection(
    _ id: CollectionID, of owner: AccountID, at now: Instant
  ) async throws(StoreError) {
    try await write { database in
      _ = try Self.owned(id, by: owner, database)
      try Self.keepFormer(follows: "collection.id = ?", [id.sql], at: now, database)
      try Self.keepFormer(zones: "collection = ?", [id.sql], at: now, database)
      try database.run(
        "UPDATE zone SET collection = NULL, since = ? WHERE collection = ?",
        [try Self.zoneEdit(database), id.sql])
      try Self.zoneSetChanged(of: owner, [id], at: now, database)
      try database.run("DELETE FROM collection WHERE id = ?", [id.sql])
      try Self.change(.collection, id.rawValue, of: owner, deleted: true, at: now, database)
    }
  }

  /// The collection, if the account may see it: as owner, as member, or because it is public.
  public func collection(
    _ id: CollectionID, seenBy account: AccountID
  ) async throws(StoreError) -> VisibleCollection {
    try await read { try Self.visible(id, by: account, $0) }
  }

  /// The collections, ascending by id.
  public func collections(
    seenBy account: AccountID, after id: CollectionID?, limit: Int
  ) async throws(StoreError) -> [VisibleCollection] {
    try await read { database in
      try database.rows(
        Self.visible("\(CollectionID.after(id, "collection.id")) ORDER BY collection.id LIMIT ?"),
        [account.sql, CollectionID.bound(id), limit]
      ).map { Self.visibleCollection($0) }
    }
  }

  /// - Throws: `.notFound` if the account may not see the collection.
  public func zones(
    in collection: CollectionID, seenBy account: AccountID
  ) async throws(StoreError) -> [StoredZone] {
    try await read { database in
      _ = try Self.visible(collection, by: account, database)
      return try database.rows(
        "SELECT \(Self.zoneColumns) FROM zone WHERE collection = ? AND NOT is_deleted ORDER BY id",
        [collection.sql]
      ).map { Self.storedZone($0) }
    }
  }

  /// Lets the person with that login follow the collection, now or later. The result does not reveal whether
  /// such an account exists.
  /// - Throws: `.tooMany` beyond `ZoneCollection.mostMembers`.
  public func addMember(
    _ login: String, to collection: CollectionID, of owner: AccountID, at now: Instant
  ) async throws(StoreError) {
    try await write { database in
      let stored = try Self.owned(collection, by: owner, database)
      let listed = try database.integer(
        """
        SELECT membership.id FROM membership LEFT JOIN account AS person ON person.id = membership.account
        WHERE collection = ? AND lower(coalesce(person.login, membership.login)) = ?
        """, [collection.sql, login.asciiLowercased])
      if let listed {
        try database.run("UPDATE membership SET is_direct = TRUE WHERE id = ?", [listed])
      } else {
        let count = try database.integer(
          "SELECT count(*) FROM membership WHERE collection = ?", [collection.sql])
        guard count ?? 0 < Int64(ZoneCollection.mostMembers) else {
          throw StoreError.tooMany(allowed: ZoneCollection.mostMembers)
        }
        try database.insert(
          "INSERT INTO membership (id, collection, login, since) VALUES (?, ?, ?, ?)",
          [MembershipID.random().sql, collection.sql, login, now.sql])
      }
      try Self.change(.collection, collection.rawValue, of: owner, at: now, database)
      if let member = try Self.account(ofLogin: login, database) {
        try Self.mayFollowNow(stored, member, isNew: listed == nil, at: now, database)
      }
    }
  }

  private static func account(ofLogin login: String, _ database: any SQLTransaction) throws -> AccountID? {
    try database.row(
      "SELECT id FROM account WHERE lower(login) = ? AND NOT is_erased", [login.asciiLowercased]
    ).map { $0.id(0) }
  }

  /// Binds a membership by login to the account with that login. The owner then sees the account's name.
  private static func bind(
    _ id: CollectionID, to member: AccountID, _ database: any SQLTransaction
  ) throws -> Bool {
    let bound = try database.integer(
      "SELECT 1 FROM membership WHERE collection = ? AND account = ?", [id.sql, member.sql])
    guard bound == nil else { return false }
    return try database.run(
      """
      UPDATE membership SET account = ?2 WHERE collection = ?1 AND account IS NULL
        AND lower(login) = (SELECT lower(person.login) FROM account AS person WHERE person.id = ?2)
      """, [id.sql, member.sql]) > 0
  }

  /// Records the changes after an account was given permission to follow a collection.
  private static func mayFollowNow(
    _ collection: ZoneCollection, _ member: AccountID, isNew: Bool, at now: Instant,
    _ database: any SQLTransaction
  ) throws {
    try change(.follow, collection.id.rawValue, of: member, at: now, database)
    guard isNew, !collection.isPublic else { return }
    // A person who followed the collection while it was public sees its zones again.
    let again = try database.run(
      "UPDATE follow SET watched_since = ? WHERE collection = ? AND account = ?",
      [try zoneEdit(database), collection.id.sql, member.sql])
    if again == 1 { try zoneSetChanged(of: member, [], at: now, database) }
  }

  /// True if the account ?2 is in a group that the collection ?1 is given to.
  private static let isGivenByGroup = """
    EXISTS (SELECT 1 FROM group_collection JOIN group_member ON group_member.group_id = group_collection.group_id
      WHERE group_collection.collection = ?1 AND group_member.account = ?2
        AND group_member.joined_at IS NOT NULL AND group_member.ended_at IS NULL)
    """

  /// Lets a member of a group follow a collection of the manager's.
  static func give(
    _ id: CollectionID, of owner: AccountID, toMember member: AccountID, at now: Instant,
    _ database: any SQLTransaction
  ) throws {
    let collection = try owned(id, by: owner, database)
    if try bind(id, to: member, database) {
      return try mayFollowNow(collection, member, isNew: false, at: now, database)
    }
    let added = try database.run(
      """
      INSERT INTO membership (id, collection, account, since, is_direct) VALUES (?, ?, ?, ?, FALSE)
      ON CONFLICT (collection, account) DO NOTHING
      """, [MembershipID.random().sql, id.sql, member.sql, now.sql])
    try mayFollowNow(collection, member, isNew: added == 1, at: now, database)
  }

  /// Takes back the permission that a group gave to a member, after the group lost the collection or the
  /// member. Permissions from elsewhere stay.
  static func takeBack(
    _ id: CollectionID, of owner: AccountID, fromMember member: AccountID, at now: Instant,
    _ database: any SQLTransaction
  ) throws {
    let collection = try owned(id, by: owner, database)
    let stays = try database.integer(
      """
      SELECT 1 FROM membership WHERE collection = ?1 AND account = ?2 AND (is_direct OR \(isGivenByGroup))
      """, [id.sql, member.sql])
    guard stays == nil else { return }
    if !collection.isPublic { try keepFormer(following: id, by: member, at: now, database) }
    try database.run(
      "DELETE FROM membership WHERE collection = ? AND account = ?", [id.sql, member.sql])
    let isFollowed = try database.integer(
      "SELECT 1 FROM follow WHERE collection = ? AND account = ?", [id.sql, member.sql])
    guard !collection.isPublic, isFollowed != nil else {
      return try change(.follow, id.rawValue, of: member, at: now, database)
    }
    try endFollowing(id, by: member, at: now, database)
  }

  /// Removes a member. The member stops following the collection, unless it is public or given to one of
  /// their groups.
  /// - Throws: `.notFound` for people who may follow through a group only.
  /// - Returns: the account of the member; nil if no account has the login.
  @discardableResult
  public func removeMember(
    _ id: MembershipID, from collection: CollectionID, of owner: AccountID, at now: Instant
  ) async throws(StoreError) -> AccountID? {
    try await write { database in
      let stored = try Self.owned(collection, by: owner, database)
      let row = try database.row(
        "SELECT account, login FROM membership WHERE id = ? AND collection = ?", [id.sql, collection.sql])
      guard let row else { throw StoreError.notFound }
      let bound: AccountID? = row.optionalID(0)
      guard let member = try bound ?? (row[1] as String?).flatMap({ try Self.account(ofLogin: $0, database) })
      else {
        try database.run("DELETE FROM membership WHERE id = ?", [id.sql])
        try Self.change(.collection, collection.rawValue, of: owner, at: now, database)
        return nil
      }
      let byGroup = try database.run(
        """
        UPDATE membership SET is_direct = FALSE
        WHERE collection = ?1 AND account = ?2 AND is_direct AND \(Self.isGivenByGroup)
        """, [collection.sql, member.sql])
      guard byGroup == 0 else {
        try Self.change(.collection, collection.rawValue, of: owner, at: now, database)
        return member
      }
      if !stored.isPublic { try Self.keepFormer(following: collection, by: member, at: now, database) }
      let removed = try database.run(
        "DELETE FROM membership WHERE id = ? AND is_direct", [id.sql])
      guard removed == 1 else { throw StoreError.notFound }
      try Self.change(.collection, collection.rawValue, of: owner, at: now, database)
      let stays = try database.integer(
        "SELECT 1 FROM membership WHERE collection = ?1 AND \(Self.belongs(to: "?2"))",
        [collection.sql, member.sql])
      if !stored.isPublic, stays == nil {
        try Self.endFollowing(collection, by: member, at: now, database)
      }
      return member
    }
  }

  private static func keepFormer(
    following collection: CollectionID, by account: AccountID, at now: Instant, _ database: any SQLTransaction
  ) throws {
    try keepFormer(
      follows: "follow.collection = ? AND follow.account = ?", [collection.sql, account.sql], at: now,
      database)
  }

  private static func endFollowing(
    _ collection: CollectionID, by account: AccountID, at now: Instant, _ database: any SQLTransaction
  ) throws {
    try keepFormer(following: collection, by: account, at: now, database)
    try database.run(
      "DELETE FROM follow WHERE collection = ? AND account = ?", [collection.sql, account.sql])
    try change(.follow, collection.rawValue, of: account, deleted: true, at: now, database)
    try zoneSetChanged(of: account, [], at: now, database)
  }

  /// The members, ascending by login.
  public func members(
    of collection: CollectionID, owner: AccountID
  ) async throws(StoreError) -> [Membership] {
    try await read { database in
      _ = try Self.owned(collection, by: owner, database)
      return try database.rows(
        """
        SELECT membership.id, coalesce(person.login, membership.login) AS shown, person.name, since, is_direct, person.id
        FROM membership LEFT JOIN account AS person ON person.id = membership.account
        WHERE collection = ? ORDER BY lower(coalesce(person.login, membership.login)), membership.id
        """, [collection.sql]
      ).map {
        Membership(
          id: $0.id(0), login: $0[1], name: ($0[2] as String?) ?? "", since: $0.instant(3), isDirect: $0[4],
          account: $0.optionalID(5))
      }
    }
  }

  /// Follows a collection.
  /// - Throws: `.notFound` if the account may not see it.
  /// - Returns: the owner if the list of members now shows the account, otherwise nil.
  @discardableResult
  public func follow(
    _ collection: CollectionID, by account: AccountID, at now: Instant
  ) async throws(StoreError) -> AccountID? {
    try await write { database in
      _ = try Self.account(account, database)
      let owner = try Self.visible(collection, by: account, database).collection.owner
      let shows = try Self.bind(collection, to: account, database)
      if shows { try Self.change(.collection, collection.rawValue, of: owner, at: now, database) }
      let added = try database.run(
        """
        INSERT INTO follow (collection, account, since, watched_since) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
        """,
        [collection.sql, account.sql, now.sql, try Self.zoneEdit(database)])
      guard added == 1 else { return shows ? owner : nil }
      try Self.change(.follow, collection.rawValue, of: account, at: now, database)
      try Self.zoneSetChanged(of: account, [], at: now, database)
      return shows ? owner : nil
    }
  }

  public func unfollow(
    _ collection: CollectionID, by account: AccountID, at now: Instant
  ) async throws(StoreError) {
    try await write { database in
      let followed = try database.integer(
        "SELECT 1 FROM follow WHERE collection = ? AND account = ?", [collection.sql, account.sql])
      guard followed != nil else { throw StoreError.notFound }
      try Self.endFollowing(collection, by: account, at: now, database)
    }
  }

  /// The accounts affected by a change: the owner and all followers that may see the collection. Ascending.
  public func audience(of collection: CollectionID) async throws(StoreError) -> [AccountID] {
    try await read { database in
      try database.rows(
        """
        SELECT owner FROM collection WHERE id = ?1 UNION
        SELECT follow.account FROM follow JOIN collection ON collection.id = follow.collection
        WHERE collection.id = ?1 AND \(Self.mayFollow) ORDER BY 1
        """, [collection.sql]
      ).map { $0.id(0) }
    }
  }
}
