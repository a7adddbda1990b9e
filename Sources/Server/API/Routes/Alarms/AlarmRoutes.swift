import AlarmEngine
import AlarmService
import Formats
import Foundation
import Geometry
import HTTPTypes
import Hummingbird
import Store

/// Alarms, the attempts to notify people, and people's answers.
enum AlarmRoutes {
  static let states = [
    "ringing", "closed", "sleeping", "acknowledged", "acknowledged_for_today", "cleared", "retracted",
  ]
  static let subjects = [
    "zone", "missed_signal", "silence", "low_battery", "sos", "check_in_missed", "not_arrived", "unreadable",
    "companion_near",
    "companion_apart", "companion_lost", "companion_ended",
  ]
  static let members: [Schema.Member] = [
    .needed("id", .id, ""), .needed("device_id", .id, ""),
    .needed(
      "subject", .words(subjects),
      "Subject of the alarm."),
    .needed(
      "name", .text(0...100_000),
      "Name of the zone at that time, or of the companion; the note of a missed check-in."),
    .needed(
      "expected_arrival_id", .optional(.id), "Id of the expected arrival that was missed, for `not_arrived`."),
    .needed("expected_by", .optional(.clock), "Time of day by which the phone was to be there."),
    .needed("seen_at", .optional(.time), "Time of the last known place, for `not_arrived`."),
    .needed("zone_id", .optional(.id), "Null for an alarm about the device itself."),
    .needed("companion_id", .optional(.id), "Id of the companion alarm, for an alarm about two devices."),
    .needed("battery", .optional(.number(0...1)), "Battery level of the phone, for `low_battery`."),
    .needed(
      "cause", .optional(.words(["inside", "near", "passed", "dwell", "left", "possible"])),
      "Reason why it rang."),
    .needed("state", .words(states), ""),
    .needed("until", .optional(.time), "End of sleep or of acknowledgement for today."),
    .needed(
      "clearing",
      .optional(
        .words([
          "left", "passed_through", "deactivated", "zone_removed", "zone_edited", "schedule_closed",
          "reported", "arrived",
        ])), "Reason why it ended."),
    .needed("began_at", .time, "Time of the event."),
    .needed("decided_at", .time, "Time of the decision to ring."),
    .needed("learned_at", .time, "Earliest time at which the server could know of it."),
    .needed(
      "distance_m", .optional(.number(-1e8...1e8)),
      "Distance to the effective edge, negative inside; for a companion alarm, between the two devices."),
    .needed("latitude", .optional(.number(-90...90)), ""),
    .needed("longitude", .optional(.number(-180...180)), ""), .needed("last_rang_at", .time, ""),
    .needed("rings", .integer(0...Int64.max), "Number of rings so far."),
    .needed("cleared_at", .optional(.time), "Time at which it ended."),
    .needed("answered_at", .optional(.time), ""), .needed("answered_by", .optional(.text(0...1000)), ""),
    .needed("escalation_step", .escalationStep, ""), .needed("version", .integer(0...Int64.max), ""),
  ]
  private static let delivery = Schema.object([
    .needed("channel_id", .id, ""), .needed("attempt", .integer(0...Int64.max), ""),
    .needed("started_at", .time, ""), .needed("ended_at", .time, ""),
    .needed("outcome", .words(DeliveryAttempt.Outcome.allCases.map(\.rawValue)), ""),
    .needed("detail", .text(0...10_000), "The receiver's answer."),
  ])

  static let table: [Route] =
    [
      Route(
        method: .get, path: "/api/v1/alarms", name: "listAlarms",
        summary: "Lists alarms, the latest to begin first",
        handler: .account(list),
        query: Paging.query + [.init(name: "device", schema: .id, meaning: "Only alarms of this device.")],
        answers: [.json(Paging.schema(.named(.alarm)), "A page.")]),
      Route(
        method: .get, path: "/api/v1/alarms/{alarm}", name: "getAlarm",
        summary: "Returns one alarm with its delivery attempts",
        handler: .account { call, signed in
          let alarm = try await call.store.alarm(try id(call), of: signed.account)
          let attempts = try await call.store.attempts(of: alarm.id, account: signed.account)
          return .json(.object(members(of: alarm) + [("deliveries", .array(attempts.map(json)))]))
        },
        answers: [
          .json(
            .object(
              members + [
                .needed("deliveries", .list(delivery, upTo: 1_000_000), "Delivery attempts in order.")
              ]),
            "The alarm.")
        ]),
    ]
    + AlarmAnswer.allCases.map { answer in
      Route(
        method: .post, path: "/api/v1/alarms/{alarm}/\(answer.rawValue)", name: answer.rawValue + "Alarm",
        summary: summary(answer),
        handler: .account { call, signed in
          let alarm = try await call.store.alarm(try id(call), of: signed.account)
          let answered = try await carryOut(answer, alarm, call, by: signed.answerer)
          return .json(.object(members(of: answered)))
        }, answers: [.json(.named(.alarm), "The alarm after the answer; one that has ended is unchanged.")])
    }

  static func summary(_ answer: AlarmAnswer, of alarm: String = "an alarm") -> String {
    switch answer {
    case .close: "Closes \(alarm): removes the notification; repeats go on"
    case .sleep: "Puts \(alarm) to sleep: quiet for the zone's sleep time"
    case .acknowledge: "Stops \(alarm): quiet until the zone is left, or until its cause is over"
    case .today: "Puts \(alarm) to sleep for today: quiet until midnight"
    }
  }

  private static func id(_ call: Call) throws(Problem) -> AlarmID { AlarmID(rawValue: try call.id("alarm")) }

  private static func list(_ call: Call, _ signed: Signed) async throws -> Response {
    let limit = Paging.limit(call)
    let device = call.query["device"]?.string.flatMap { parsedID($0) }.map(DeviceID.init(rawValue:))
    if let device { _ = try await call.store.device(device, of: signed.account) }
    let alarms = try await call.store.alarms(
      of: signed.account, device: device, before: try Paging.after(call, AlarmID.self), limit: limit + 1)
    return .json(Paging.page(alarms, limit: limit, id: \.id) { .object(members(of: $0)) })
  }

  /// Carries out an answer and withdraws the notifications of the alarm.
  static func carryOut(
    _ answer: AlarmAnswer, _ alarm: AlarmRecord, _ call: Call, by: String
  ) async throws -> AlarmRecord {
    var until = call.now
    if answer == .today {
      until = AccountCalendar(try await call.store.settings(of: alarm.account)).nextMidnight(after: call.now)
    }
    return try await call.parts.alarms.engines.answer(answer, to: alarm, until: until, by: by, at: call.now)
  }

  /// The zone's name at the time of the alarm, or the note of a missed check-in; empty for other alarms about
  /// the device itself.
  static func name(of alarm: AlarmRecord) -> String {
    switch alarm.subject {
    case .zone(_, let name, _), .missedSignal(_, let name), .companion(_, let name, _),
      .missedCheckIn(let name, _):
      name.string
    case .notArrived(let missing): missing.name.string
    case .silence, .lowBattery, .distress, .unreadable: ""
    }
  }

  static func members(of alarm: AlarmRecord) -> [(String, JSONValue)] {
    var zone: (id: ZoneID, name: Text)?
    var companion: (id: CompanionID, name: Text)?
    var cause: Cause?
    var battery: Double?
    var note: Text?
    var missing: AlarmRecord.NotArrived?
    switch alarm.subject {
    case .zone(let id, let name, let why): (zone, cause) = ((id, name), why)
    case .missedSignal(let id, let name): zone = (id, name)
    case .lowBattery(let level): battery = level
    case .companion(let id, let name, _): companion = (id, name)
    case .missedCheckIn(let text, _): note = text
    case .notArrived(let what): (missing, zone) = (what, (what.zone, what.name))
    case .silence, .distress, .unreadable: break
    }
    let (state, until) = words(alarm.state)
    return [
      ("id", .string(alarm.id.description)), ("device_id", .string(alarm.device.description)),
      ("subject", .string(subject(of: alarm))),
      ("name", .string((zone?.name ?? companion?.name ?? note)?.string ?? "")),
      ("expected_arrival_id", missing.map { .string($0.expected.description) } ?? .null),
      ("expected_by", missing.map { .string($0.clock) } ?? .null),
      ("seen_at", missing?.seenAt?.json ?? .null),
      ("zone_id", zone.map { .string($0.id.description) } ?? .null),
      ("companion_id", companion.map { .string($0.id.description) } ?? .null),
      ("battery", battery.map { .number($0) } ?? .null),
      ("cause", cause.map { .string($0.word.string) } ?? .null), ("state", .string(state)),
      ("until", until?.json ?? .null), ("clearing", alarm.clearing.map { clearing($0, missing) } ?? .null),
      ("began_at", alarm.began.json), ("decided_at", alarm.decidedAt.json),
      ("learned_at", alarm.learnedAt.json),
      ("distance_m", alarm.distance.map { .number($0.metres) } ?? .null),
      ("latitude", alarm.position.map { .number($0.latitude.degrees) } ?? .null),
      ("longitude", alarm.position.map { .number($0.longitude.degrees) } ?? .null),
      ("last_rang_at", alarm.lastRangAt.json), ("rings", .integer(Int64(alarm.rings))),
      ("cleared_at", alarm.clearedAt?.json ?? .null), ("answered_at", alarm.answeredAt?.json ?? .null),
      ("answered_by", alarm.answeredBy.map { .string($0) } ?? .null),
      ("escalation_step", .integer(Int64(alarm.escalationStep.number))), ("version", .integer(alarm.version)),
    ]
  }

  /// A phone that was awaited at a zone ends the alarm by arriving, not by any report.
  private static func clearing(_ why: Clearing, _ missing: AlarmRecord.NotArrived?) -> JSONValue {
    .string(missing != nil && why == .reported ? "arrived" : why.word.string)
  }

  /// One of ``subjects``.
  static func subject(of alarm: AlarmRecord) -> String {
    switch alarm.subject {
    case .zone: "zone"
    case .missedSignal: "missed_signal"
    case .silence: "silence"
    case .lowBattery: "low_battery"
    case .distress: "sos"
    case .missedCheckIn: "check_in_missed"
    case .notArrived: "not_arrived"
    case .unreadable: "unreadable"
    case .companion(_, _, let news): word(of: news)
    }
  }

  private static func word(of news: AlarmRecord.CompanionNews) -> String {
    switch news {
    case .near: "companion_near"
    case .apart: "companion_apart"
    case .lost: "companion_lost"
    case .ended: "companion_ended"
    }
  }

  private static func words(_ state: AlarmRecord.State) -> (String, Instant?) {
    switch state {
    case .ringing: ("ringing", nil)
    case .closed: ("closed", nil)
    case .sleeping(let until): ("sleeping", until)
    case .acknowledgedInside: ("acknowledged", nil)
    case .acknowledgedForToday(let until): ("acknowledged_for_today", until)
    case .cleared: ("cleared", nil)
    case .retracted: ("retracted", nil)
    }
  }

  private static func json(_ attempt: DeliveryAttempt) -> JSONValue {
    .object([
      ("channel_id", .string(attempt.channel.description)), ("attempt", .integer(Int64(attempt.attempt))),
      ("started_at", attempt.startedAt.json), ("ended_at", attempt.endedAt.json),
      ("outcome", .string(attempt.outcome.rawValue)), ("detail", .string(attempt.detail)),
    ])
  }
}
