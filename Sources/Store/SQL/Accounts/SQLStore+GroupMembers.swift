import AlarmEngine

/// The members of groups, as their managers and they themselves see them.
extension SQLStore {
  /// A query for the members to show. Its first two arguments are `times`.
  private static func members(_ condition: String) -> String {
    """
    SELECT group_member.id, group_member.group_id, coalesce(person.login, group_member.login, ''),
      coalesce(person.name, ''), group_member.created_at, joined_at, ended_at, ended_by, is_deputised
    FROM group_member JOIN people_group ON people_group.id = group_member.group_id
      LEFT JOIN account AS person ON person.id = group_member.account
    WHERE (joined_at IS NOT NULL OR group_member.created_at > ?1) AND (ended_at IS NULL OR ended_at > ?2)
      AND \(condition)
    """
  }

  private static func times(_ now: Instant) -> SQLArguments {
    [(now - PeopleGroup.invitationLasts).sql, (now - PeopleGroup.endingIsShown).sql]
  }

  private static func member(_ row: SQLRow, _ reports: [GroupMemberID: MemberReport]) throws -> GroupMember {
    let id: GroupMemberID = row.id(0)
    let state: GroupMember.State
    switch (row.optionalInstant(5), row.optionalInstant(6), (row[7] as Int?).flatMap(GroupMember.Side.init)) {
    case (nil, nil, nil): state = .invited(at: row.instant(4))
    case (let joined?, nil, nil): state = .joined(at: joined)
    case (let joined?, let ended?, let side?): state = .ended(joinedAt: joined, at: ended, by: side)
    default: throw StoreError.corrupted(detail: "membership \(id) has no known state")
    }
    return GroupMember(
      id: id, group: row.id(1), login: row[2], name: row[3], state: state, isManagerLet: row[8],
      report: reports[id] ?? MemberReport())
  }

  /// The reports on joined members that match a condition on `group_member` with the argument ?1.
  private static func reports(
    _ condition: String, _ argument: Int64, at now: Instant, _ database: any SQLTransaction
  ) throws -> [GroupMemberID: MemberReport] {
    var reports: [GroupMemberID: MemberReport] = [:]
    let whose = "\(isMemberNow) AND \(condition)"
    let phones = try database.rows(
      """
      SELECT group_member.id, device.name, device.created_at, heard_at, report_interval, is_armed, unread_since
      FROM group_member JOIN device ON device.account = group_member.account
        LEFT JOIN device_last ON device_last.device = device.id
        LEFT JOIN device_status ON device_status.device = device.id
      WHERE \(whose) ORDER BY device.name, device.id
      """, [argument])
    for row in phones {
      reports[row.id(0), default: .init()].phones.append(
        .init(
          name: row[1], createdAt: row.instant(2), heardAt: row.optionalInstant(3),
          reportInterval: (row[4] as Int64?).map { .milliseconds($0) }, isArmed: row[5],
          isUnreadable: row.optionalInstant(6) != nil))
    }
    let follows = try database.rows(
      """
      SELECT group_member.id, follow.collection, follow.since FROM group_member
        JOIN group_collection ON group_collection.group_id = group_member.group_id
        JOIN follow ON follow.collection = group_collection.collection
          AND follow.account = group_member.account
      WHERE \(whose) ORDER BY follow.collection
      """, [argument])
    for row in follows {
      reports[row.id(0), default: .init()].follows.append(.init(collection: row.id(1), since: row.instant(2)))
    }
    let others = try database.rows(
      """
      SELECT group_member.id, other.name FROM group_member
        JOIN people_group ON people_group.id = group_member.group_id
        JOIN group_member AS another ON another.account = group_member.account
          AND another.joined_at IS NOT NULL AND another.ended_at IS NULL
        JOIN people_group AS other ON other.id = another.group_id AND other.owner = people_group.owner
          AND other.id <> people_group.id
      WHERE \(whose) ORDER BY lower(other.name), other.name, other.id
      """, [argument])
    for row in others { reports[row.id(0), default: .init()].otherGroups.append(row[1]) }
    for (id, trouble) in try troubles(whose, argument, at: now, database) {
      reports[id, default: .init()].trouble = trouble
    }
    return reports
  }

  /// Each member's latest failed delivery attempt or daily test.
  private static func troubles(
    _ whose: String, _ argument: Int64, at now: Instant, _ database: any SQLTransaction
  ) throws -> [GroupMemberID: MemberReport.Trouble] {
    let since = (now - MemberReport.troubleIsTold).sql
    let attempts = try database.rows(
      """
      SELECT group_member.id, channel.kind,
        max(CASE WHEN outcome IN ('failed', 'rejected') THEN attempt.ended_at END),
        max(CASE WHEN outcome IN ('delivered', 'seen') THEN attempt.ended_at END)
      FROM group_member JOIN alarm ON alarm.account = group_member.account AND alarm.began > ?2
        JOIN attempt ON attempt.alarm = alarm.id LEFT JOIN channel ON channel.id = attempt.channel
      WHERE \(whose) GROUP BY group_member.id, attempt.channel, channel.kind
      """, [argument, since])
    let tests = try database.rows(
      """
      SELECT group_member.id, channel.kind, channel.tested_at
      FROM group_member JOIN channel ON channel.account = group_member.account
      WHERE \(whose) AND channel.is_active AND channel.test_failure IS NOT NULL
        AND channel.tested_at > ?2
      """, [argument, since])
    var troubles: [GroupMemberID: MemberReport.Trouble] = [:]
    func note(_ row: SQLRow, arrived: Instant?) {
      guard let failed = row.optionalInstant(2) else { return }
      if let known = troubles[row.id(0)], known.at >= failed { return }
      troubles[row.id(0)] = .init(
        at: failed, channelKind: row[1], isOver: arrived.map { $0 > failed } ?? false)
    }
    for row in attempts { note(row, arrived: row.optionalInstant(3)) }
    for row in tests { note(row, arrived: nil) }
    return troubles
  }

  /// The members by login, including those whose membership ended within `PeopleGroup.endingIsShown`.
  public func members(
    of group: GroupID, owner: AccountID, at now: Instant
  ) async throws(StoreError) -> [GroupMember] {
    try await read { database in
      _ = try Self.owned(group, by: owner, at: now, database)
      let reports = try Self.reports("group_member.group_id = ?1", group.sql, at: now, database)
      return try database.rows(
        Self.members(
          """
          group_member.group_id = ?3
          ORDER BY lower(coalesce(person.login, group_member.login, '')), group_member.created_at, group_member.id
          """),
        Self.times(now) + [group.sql]
      ).map { try Self.member($0, reports) }
    }
  }

  /// The groups that the account is in, is invited to or was in, sorted by name, with the manager's view of
  /// the account.
  public func memberships(of account: AccountID, at now: Instant) async throws(StoreError)
    -> [GroupMembership]
  {
    try await read { database in
      let reports = try Self.reports("group_member.account = ?1", account.sql, at: now, database)
      let rows = try database.rows(
        Self.members(
          """
          people_group.owner <> ?3 AND (group_member.account = ?3
            OR group_member.id IN (SELECT group_member.id FROM group_member JOIN account AS person ON person.id = ?3
              JOIN people_group AS theirs ON theirs.id = group_member.group_id
              JOIN account AS manager ON manager.id = theirs.owner
              WHERE \(Self.isInvited) AND NOT manager.is_disabled AND NOT manager.is_erased))
          ORDER BY lower(people_group.name), people_group.name, group_member.created_at, group_member.id
          """), Self.times(now) + [account.sql])
      return try rows.map { row in
        GroupMembership(group: try Self.offered(row.id(1), database), member: try Self.member(row, reports))
      }
    }
  }
}
