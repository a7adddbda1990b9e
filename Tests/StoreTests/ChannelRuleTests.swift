import AlarmEngine
import Testing

@testable import Store

/// The decision of a channel's rule, as a table (W20).
@Suite("The rule of a channel")
struct ChannelRuleTests {
  typealias Rule = ChannelRule
  typealias Event = ChannelRule.Event

  private static let school = ZoneID(rawValue: 1)
  private static let cliff = ZoneID(rawValue: 2)
  private static let gone = ZoneID(rawValue: 99)
  private static let phone = DeviceID(rawValue: 3)

  /// A time in UTC, of the days around 2026-03-29, when clocks in Berlin were put forward from 2:00 to 3:00.
  /// 27 March 2026 was a Friday.
  private static func utc(_ day: Int, _ hour: Int, _ minute: Int = 0) -> Instant {
    // 2026-03-01T00:00:00Z.
    Instant(millisecondsSince1970: 1_772_323_200_000)
      + .minutes(Double((day - 1) * 1440 + hour * 60 + minute))
  }

  private static let berlin = [
    Schedule.Offset(from: utc(1, 0), seconds: 3600), .init(from: utc(29, 1), seconds: 7200),
  ]

  /// An alarm of the school, which has the category "Children".
  private static func ring(
    _ direction: Rule.Direction? = .enter, zone: ZoneID? = school, category: String? = "Children",
    _ kind: NoticeKind = .ring, during time: ClosedRange<Instant> = utc(27, 12)...utc(27, 12),
    offsets: [Schedule.Offset] = [], isRepeat: Bool = false, isUnanswered: Bool = false
  ) -> Event {
    Event(
      kind, of: phone, zone: zone.map { .init(id: $0, category: category) }, direction: direction,
      during: time, offsets: offsets, isRepeat: isRepeat, isUnanswered: isUnanswered)
  }

  private static func of(_ kind: NoticeKind, isRepeat: Bool = false, isUnanswered: Bool = false) -> Event {
    ring(nil, zone: nil, kind, isRepeat: isRepeat, isUnanswered: isUnanswered)
  }

  private static func day(_ opens: Int, _ closes: Int, _ days: Schedule.Weekdays = .everyDay) -> [Schedule
    .Window]
  { [.init(weekdays: days, opens: opens * 60, closes: closes * 60)] }

  struct Row: Sendable {
    let name: String
    let rule: Rule
    let event: Event
    let refusal: Rule.Refusal?
  }

  private static func row(
    _ name: String, _ rule: Rule, _ event: Event, _ refusal: Rule.Refusal? = nil
  ) -> Row { Row(name: name, rule: rule, event: event, refusal: refusal) }

  @Test func `each member keeps back what it does not name, alone and with others`() throws {
    let zones = try Rule(zones: [Self.school])
    let categories = try Rule(categories: [" children", "Work"])
    let either = try Rule(zones: [Self.cliff], categories: ["Children"])
    let leaving = try Rule(directions: [.leave, .dwell])
    let ringsOnly = try Rule(kinds: [.ring, .batteryLow])
    let repeating = try Rule(kinds: [.ring, .repeat])
    let another = try Rule(devices: [DeviceID(rawValue: 4)])
    let morning = try Rule(hours: Self.day(6, 11))
    let all = try Rule(
      zones: [Self.school], directions: [.enter], kinds: [.ring], devices: [Self.phone],
      hours: Self.day(11, 13))
    let rows = [
      Self.row("everything", .everything, Self.ring()),
      Self.row("no members", try Rule(), Self.ring()),
      Self.row("zone", zones, Self.ring()),
      Self.row("other zone", zones, Self.ring(zone: Self.cliff), .zone),
      Self.row("lost signal at another zone", zones, Self.ring(nil, zone: Self.cliff, .missedSignal), .zone),
      Self.row("zone's notice", zones, Self.ring(zone: Self.cliff, .notice), .zone),
      Self.row("about no zone", zones, Self.of(.batteryLow)),
      Self.row("reminder", zones, Self.of(.reminder)),
      Self.row("deleted zone", try Rule(zones: [Self.gone]), Self.ring(), .zone),
      Self.row("deleted zone, SOS", try Rule(zones: [Self.gone]), Self.of(.distress)),
      Self.row("category, other case", categories, Self.ring(category: "CHILDREN ")),
      Self.row("other category", categories, Self.ring(category: "Childrens"), .zone),
      Self.row("no category", categories, Self.ring(category: ""), .zone),
      Self.row("category of a deleted zone", categories, Self.ring(category: nil), .zone),
      Self.row("zone or category: category", either, Self.ring()),
      Self.row("zone or category: zone", either, Self.ring(zone: Self.cliff, category: "Hazard")),
      Self.row("zone or category: neither", either, Self.ring(zone: Self.gone, category: "Hazard"), .zone),
      Self.row("direction", leaving, Self.ring(.leave)),
      Self.row("stay", leaving, Self.ring(.dwell)),
      Self.row("other direction", leaving, Self.ring(.enter), .direction),
      Self.row("lost signal has no direction", leaving, Self.ring(nil, .missedSignal)),
      Self.row("silence has no direction", leaving, Self.of(.deviceSilent)),
      Self.row("kind", ringsOnly, Self.ring()),
      Self.row("kind about the phone", ringsOnly, Self.of(.batteryLow)),
      Self.row("other kind", ringsOnly, Self.of(.deviceSilent), .kind),
      Self.row("SOS not among the kinds", ringsOnly, Self.of(.distress), .kind),
      Self.row("no repeats", ringsOnly, Self.ring(isRepeat: true), .kind),
      Self.row("repeats", repeating, Self.ring(isRepeat: true)),
      Self.row("repeats of another kind", repeating, Self.of(.deviceSilent, isRepeat: true), .kind),
      Self.row("repeats, if kinds are not named", zones, Self.ring(isRepeat: true)),
      Self.row("other phone", another, Self.ring(), .phone),
      Self.row("other phone, SOS", another, Self.of(.distress)),
      Self.row("hours", morning, Self.ring(), .hours),
      Self.row("hours, SOS", morning, Self.of(.distress)),
      Self.row("hours, reminder", morning, Self.of(.reminder), .hours),
      Self.row("all members", all, Self.ring()),
      Self.row("all members, but the zone", all, Self.ring(zone: Self.cliff), .zone),
      Self.row("all members, but the direction", all, Self.ring(.leave), .direction),
      Self.row("all members, but the kind", all, Self.ring(nil, .missedSignal), .kind),
      Self.row("unanswered: zone", zones, Self.ring(zone: Self.cliff, isUnanswered: true)),
      Self.row("unanswered: direction", leaving, Self.ring(isUnanswered: true)),
      Self.row("unanswered: hours", morning, Self.ring(isUnanswered: true)),
      Self.row("unanswered: phone", another, Self.ring(isUnanswered: true), .phone),
      Self.row("unanswered: kind", repeating, Self.of(.deviceSilent, isUnanswered: true), .kind),
      Self.row("unanswered, kinds named: zone", all, Self.ring(zone: Self.cliff, isUnanswered: true), .zone),
    ]
    for row in rows {
      #expect(row.rule.refusal(of: row.event) == row.refusal, "\(row.name)")
      #expect(row.rule.allows(row.event) == (row.refusal == nil), "\(row.name)")
    }
    // A test is sent whatever the rule is.
    for rule in rows.map(\.rule) { #expect(rule.allows(Self.of(.test))) }
  }

  /// Windows, the beginning and the end of the event in UTC, and whether it is sent, by clocks in Berlin.
  @Test func `hours follow the clock of the time zone, over midnight and when clocks change`() throws {
    let night = Self.day(22, 6, .mondayToFriday)
    let short = [Schedule.Window(weekdays: .everyDay, opens: 150, closes: 180)]
    let always = [Schedule.Window(weekdays: .everyDay, opens: 0, closes: 1440)]
    let rows: [(String, [Schedule.Window], from: Instant, through: Instant, Bool)] = [
      ("at the opening", Self.day(8, 20), Self.utc(27, 7), Self.utc(27, 7), true),
      ("a minute before", Self.day(8, 20), Self.utc(27, 6, 59), Self.utc(27, 6, 59), false),
      ("at the closing", Self.day(8, 20), Self.utc(27, 19), Self.utc(27, 19), false),
      ("a minute before it", Self.day(8, 20), Self.utc(27, 18, 59), Self.utc(27, 18, 59), true),
      ("begins before, still rings", Self.day(8, 20), Self.utc(27, 6, 59), Self.utc(27, 7), true),
      ("begins within, ends after", Self.day(8, 20), Self.utc(27, 18, 59), Self.utc(27, 23), true),
      ("begins and ends at night", Self.day(8, 20), Self.utc(27, 19), Self.utc(28, 6, 59), false),
      ("rings through the day", Self.day(8, 20), Self.utc(27, 5), Self.utc(28, 5), true),
      ("Friday night", night, Self.utc(27, 22), Self.utc(27, 22), true),
      ("early Saturday, of Friday's night", night, Self.utc(28, 4, 59), Self.utc(28, 4, 59), true),
      ("Saturday night", night, Self.utc(28, 22), Self.utc(28, 22), false),
      ("summer time, at the opening", Self.day(8, 20), Self.utc(29, 6), Self.utc(29, 6), true),
      ("summer time, a minute before", Self.day(8, 20), Self.utc(29, 5, 59), Self.utc(29, 5, 59), false),
      ("the hour that is left out, before", short, Self.utc(29, 0, 59), Self.utc(29, 0, 59), false),
      ("the same window the day before", short, Self.utc(28, 1, 40), Self.utc(28, 1, 40), true),
      ("all day", always, Self.utc(29, 1), Self.utc(29, 1), true),
    ]
    for (name, hours, from, through, isSent) in rows {
      let event = Self.ring(during: from...through, offsets: Self.berlin)
      #expect(try Rule(hours: hours).allows(event) == isSent, "\(name)")
    }
    // Clocks are put back: 2:30 comes twice, and both are within the hours.
    let autumn = [
      Schedule.Offset(from: Self.utc(1, 0), seconds: 7200), .init(from: Self.utc(29, 1), seconds: 3600),
    ]
    for hour in [0, 1] {
      let time = Self.utc(29, hour, 30)
      let event = Self.ring(during: time...time, offsets: autumn)
      #expect(try Rule(hours: Self.day(2, 3)).allows(event), "\(hour)")
    }
  }

  @Test func `once sent, an alarm stays allowed however long it rings`() throws {
    for hour in 0..<48 {
      let rule = try Rule(hours: Self.day(hour % 24, (hour + 7) % 24, .mondayToFriday))
      var wasAllowed = false
      for minutes in stride(from: 0.0, through: 7 * 1440, by: 97) {
        let begins = Self.utc(27, 3)
        let event = Self.ring(during: begins...(begins + .minutes(minutes)), offsets: Self.berlin)
        #expect(!wasAllowed || rule.allows(event), "\(hour) \(minutes)")
        wasAllowed = wasAllowed || rule.allows(event)
      }
      #expect(wasAllowed)
    }
  }

  @Test func `causes are movements`() {
    let causes: [(Cause, Rule.Direction)] = [
      (.inside, .enter), (.near, .enter), (.passed, .enter), (.possible, .enter), (.left, .leave),
      (.dwell, .dwell),
    ]
    for (cause, direction) in causes { #expect(Rule.Direction(cause) == direction) }
  }

  @Test func `a rule that makes no sense cannot be made, and says what was given`() throws {
    #expect(throws: ChannelRuleError.unnamedKind(given: .cleared)) { try Rule(kinds: [.ring, .cleared]) }
    #expect(throws: ChannelRuleError.unnamedKind(given: .test)) { try Rule(kinds: [.test]) }
    #expect(throws: ChannelRuleError.repeatsOfNothing) { try Rule(kinds: [.repeat, .reminder]) }
    for word in ["", "  ", "two\nlines", String(repeating: "x", count: 201)] {
      #expect(throws: ChannelRuleError.unusableCategory(given: word)) {
        try Rule(categories: ["Work", word])
      }
    }
    let never = Schedule.Window(weekdays: [], opens: 0, closes: 60)
    #expect(throws: ChannelRuleError.noWeekday(index: 1)) { try Rule(hours: Self.day(1, 2) + [never]) }
    let many = Set((0...1000).map { ZoneID(rawValue: $0) })
    #expect(throws: ChannelRuleError.tooMany(.zones, given: 1001, allowed: 1000)) { try Rule(zones: many) }
    #expect(throws: ChannelRuleError.tooMany(.hours, given: 22, allowed: 21)) {
      try Rule(hours: (0..<22).flatMap { Self.day($0, 23) })
    }
    #expect(Rule.everything.isEverything)
    #expect(try !Rule(kinds: [.ring]).isEverything)
    #expect(Rule.everything.concerns(Self.phone))
    #expect(try !Rule(devices: [DeviceID(rawValue: 4)]).concerns(Self.phone))
  }
}
