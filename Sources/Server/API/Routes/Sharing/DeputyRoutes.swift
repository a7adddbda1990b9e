import AlarmEngine
import AlarmService
import Delivery
import Formats
import HTTPTypes
import Hummingbird
import Store

/// Deputies: people who may close another person's alarms or put them to sleep.
enum DeputyRoutes {
  private static let deputy = Schema.object([
    .needed("id", .id, ""), .needed("login", .text(1...100), "Login of the deputy."),
    .needed("is_accepted", .boolean, "True if the deputy has agreed; the right begins then."),
    .needed("created_at", .time, ""),
  ])
  private static let owner = Schema.object([
    .needed("login", .text(1...100), "Login of the alarms' owner."), .needed("name", .text(0...200), ""),
    .needed("deputy_id", .optional(.id), "Null if the right comes from managing a group."),
    .needed(
      "membership_id", .optional(.id), "Membership of the group's member who grants the right, else null."),
    .needed("group_name", .optional(.text(1...200)), ""),
    .needed("is_accepted", .boolean, "True if the account has accepted the offer."),
  ])
  private static let alarm = Schema.object([
    .needed("id", .id, ""), .needed("owner_login", .text(1...100), ""),
    .needed("owner_name", .text(0...200), ""), .needed("device_name", .text(0...1000), ""),
    .needed("subject", .words(AlarmRoutes.subjects), "Subject of the alarm."),
    .needed("name", .text(0...100_000), "Name of the zone at that time."),
    .needed("state", .words(AlarmRoutes.states), ""), .needed("until", .optional(.time), ""),
    .needed("began_at", .time, ""), .needed("last_rang_at", .time, ""),
    .needed("answered_at", .optional(.time), ""), .needed("answered_by", .optional(.text(0...1000)), ""),
  ])
  /// The answers that may be given for another person; Stop is not among them, since only a person on the
  /// spot knows of the danger.
  private static let answers: [AlarmAnswer] = [.sleep, .close]
  /// The most alarms listed, the latest ones; older ones have long ceased to ring.
  private static let mostAlarms = 500

  static let table: [Route] =
    [
      Route(
        method: .get, path: "/api/v1/deputies", name: "listDeputies",
        summary: "Lists the account's deputies, who may answer its alarms, and open offers",
        handler: .account { call, signed in
          .items(try await call.store.deputies(of: signed.account, at: call.now).map(json))
        }, answers: [.json(.items(deputy, upTo: Deputy.most), "Deputies, by login.")]),
      Route(
        method: .post, path: "/api/v1/deputies", name: "createDeputy",
        summary:
          "Offers a person, by login, to see which zone rings and to close alarms or put them to sleep",
        handler: .account(create), body: .json(.object([.needed("login", AccountRoutes.login, "")])),
        answers: [
          .json(deputy, "Offered. The answer does not reveal whether the login exists.", status: .created)
        ]),
      Route(
        method: .put, path: "/api/v1/deputies/{deputy}/accept", name: "acceptDeputy",
        summary: "Accepts the offer to answer another person's alarms",
        handler: .account { call, signed in
          let owner = try await call.store.accept(try id(call), by: signed.account, at: call.now)
          call.subject.isNamed(try await call.store.account(owner).login)
          await call.note("acceptDeputy", signed.login, inLogOf: owner, by: signed)
          call.parts.core.hub.publish(owner)
          return .nothing
        }, answers: [.nothing("Accepted.")]),
      Route(
        method: .delete, path: "/api/v1/deputies/{deputy}", name: "endDeputy",
        summary: "Ends a deputy's right at once; either side may",
        handler: .account { call, signed in
          try await over(try await call.store.end(try id(call), by: signed.account), call, signed)
        }, answers: [.nothing("Ended.")]),
      Route(
        method: .put, path: "/api/v1/memberships/{membership}/manager-answers", name: "letManagerAnswer",
        summary: "Lets the manager of a group close the member's alarms or put them to sleep",
        handler: .account { call, signed in
          let right = try await call.store.letManagerAnswer(try membership(call), by: signed.account)
          call.subject.isNamed(right.answererLogin)
          if let manager = right.answerer {
            await call.note("letManagerAnswer", signed.login, inLogOf: manager, by: signed)
            call.parts.core.hub.publish(manager)
          }
          return .nothing
        }, answers: [.nothing("Allowed.")]),
      Route(
        method: .delete, path: "/api/v1/memberships/{membership}/manager-answers",
        name: "endManagerAnswering",
        summary: "Ends the manager's right to answer alarms at once; either side may",
        handler: .account { call, signed in
          let ended = try await call.store.endManagerAnswering(
            try membership(call), by: signed.account)
          return try await over(ended, call, signed)
        }, answers: [.nothing("Ended.")]),
      Route(
        method: .get, path: "/api/v1/deputy-for", name: "listDeputyFor",
        summary: "Lists the people whose alarms the account may answer, and open offers",
        handler: .account { call, signed in
          .items(try await call.store.deputyFor(signed.account, at: call.now).map(json))
        }, answers: [.json(.items(owner, upTo: 100_000), "People, by login.")]),
      Route(
        method: .get, path: "/api/v1/others-alarms", name: "listOthersAlarms",
        summary:
          "Lists alarms of others that the account may answer and that have not ended, without positions",
        handler: .account { call, signed in
          .items(
            try await call.store.othersAlarms(answerableBy: signed.account, limit: mostAlarms).map(json))
        }, answers: [.json(.items(alarm, upTo: mostAlarms), "Alarms, the latest to begin first.")]),
    ]
    + answers.map { answer in
      Route(
        method: .post, path: "/api/v1/others-alarms/{alarm}/\(answer.rawValue)",
        name: answer.rawValue + "OthersAlarm",
        summary: AlarmRoutes.summary(answer, of: "another person's alarm"),
        handler: .account { call, signed in try await carryOut(answer, call, signed) },
        answers: [.json(alarm, "The alarm after the answer; one that has ended is unchanged.")])
    }

  private static func id(_ call: Call) throws(Problem) -> DeputyID {
    DeputyID(rawValue: try call.id("deputy"))
  }

  private static func membership(_ call: Call) throws(Problem) -> GroupMemberID {
    GroupMemberID(rawValue: try call.id("membership"))
  }

  private static func create(_ call: Call, _ signed: Signed) async throws -> Response {
    let login = call.json["login"]?.string ?? ""
    if login.lowercased() == signed.login.lowercased() {
      throw Problem.invalid("/login", "your own login found, another person's allowed")
    }
    let deputy = Deputy(owner: signed.account, login: login, createdAt: call.now)
    do throws(StoreError) { try await call.store.create(deputy) } catch {
      guard error == .taken else { throw error }
      throw Problem(.conflict, "\(login.excerpt(100)) is a deputy or has an open offer already")
    }
    // The answer does not reveal which logins exist.
    if let person = try await found({ try await call.store.account(login: login) }) {
      call.parts.core.hub.publish(person.id)
    }
    return .json(json(deputy), status: .created)
  }

  /// Logs the end on both sides, and shows it to both at once.
  private static func over(_ ended: EndedDeputy, _ call: Call, _ signed: Signed) async throws -> Response {
    let isOwner = ended.owner == signed.account
    call.subject.isNamed(isOwner ? ended.answererLogin : ended.ownerLogin)
    // A person who had not agreed yet has no right that could end.
    guard let answerer = ended.answerer else { return .nothing }
    let other = isOwner ? answerer : ended.owner
    await call.note("endDeputy", signed.login, inLogOf: other, by: signed)
    call.parts.core.hub.publish(other)
    return .nothing
  }

  private static func carryOut(
    _ answer: AlarmAnswer, _ call: Call, _ signed: Signed
  ) async throws -> Response {
    let id = AlarmID(rawValue: try call.id("alarm"))
    let found = try await call.store.othersAlarm(id, answerableBy: signed.account)
    let zone = AlarmRoutes.name(of: found.alarm)
    call.subject.isNamed([zone, found.ownerLogin].filter { !$0.isEmpty }.joined(separator: " · "))
    // A closed alarm is left unchanged, and nothing is logged.
    guard found.alarm.isOpen else { return .json(json(found)) }
    let answered = try await AlarmRoutes.carryOut(answer, found.alarm, call, by: signed.answerer)
    await call.note(answer.rawValue + "OthersAlarm", zone, inLogOf: found.alarm.account, by: signed)
    return .json(
      json(
        OthersAlarm(
          alarm: answered, ownerLogin: found.ownerLogin, ownerName: found.ownerName,
          deviceName: found.deviceName)))
  }

  // MARK: Rendering

  private static func json(_ deputy: Deputy) -> JSONValue {
    .object([
      ("id", .string(deputy.id.description)), ("login", .string(deputy.login)),
      ("is_accepted", .bool(deputy.account != nil)), ("created_at", deputy.createdAt.json),
    ])
  }

  private static func json(_ each: DeputyFor) -> JSONValue {
    let (deputy, membership, group, isAccepted): (String?, String?, String?, Bool) =
      switch each.right {
      case .deputy(let id, let isAccepted): (id.description, nil, nil, isAccepted)
      case .manager(let id, let name): (nil, id.description, name, true)
      }
    return .object([
      ("login", .string(each.ownerLogin)), ("name", .string(each.ownerName)),
      ("deputy_id", deputy.map { .string($0) } ?? .null),
      ("membership_id", membership.map { .string($0) } ?? .null),
      ("group_name", group.map { .string($0) } ?? .null), ("is_accepted", .bool(isAccepted)),
    ])
  }

  /// The members of the alarm that reveal no place other than the zone's name.
  private static func json(_ each: OthersAlarm) -> JSONValue {
    let told: Set = [
      "id", "subject", "name", "state", "until", "began_at", "last_rang_at", "answered_at", "answered_by",
    ]
    return .object(
      [
        ("owner_login", .string(each.ownerLogin)), ("owner_name", .string(each.ownerName)),
        ("device_name", .string(each.deviceName)),
      ] + AlarmRoutes.members(of: each.alarm).filter { told.contains($0.0) })
  }
}
