import AlarmEngine
import Geometry
import TestSupport
import Testing

@Suite("Ranges of numbers")
struct RangedFieldTests {
  private static let place = Coordinate(latitude: .degrees(47.5), longitude: .degrees(11))
  private static let start = Instant(millisecondsSince1970: 1_795_000_000_000)
  private static func draft(_ id: UInt64, _ change: (inout ZoneDraft) -> Void = { _ in }) -> ZoneDraft {
    var draft = ZoneDraft(
      id: ZoneID(rawValue: id), name: "Zone", size: .metres(100), outline: .locations([place]),
      assurance: .safety)
    change(&draft)
    return draft
  }
  private static func zone(_ id: UInt64, _ change: (inout ZoneDraft) -> Void = { _ in }) -> Zone {
    .valid(draft(id, change))
  }

  @Test(arguments: RangedField.allCases) func `what stands in for a number is allowed itself`(
    field: RangedField
  ) {
    #expect(field.byDefault.map { field.allowed.contains($0) } ?? true)
    #expect(field.allowed.lowerBound < field.allowed.upperBound)
    #expect(RangedField.allCases.count { $0.name == field.name } == 1)
  }

  @Test(arguments: RangedField.allCases) func `a setting is set in its range and not beyond`(
    field: RangedField
  ) throws {
    let isSetting = field.value(in: .phone) != nil
    var settings = Settings.phone
    for number in [field.allowed.lowerBound, field.allowed.upperBound] {
      try settings.set(field, to: number)
      #expect(field.value(in: settings) == (isSetting ? number : nil))
      #expect(isSetting || settings == .phone)
    }
    let before = settings
    for number in [
      field.allowed.lowerBound.nextDown, field.allowed.upperBound.nextUp, -.infinity, .infinity,
    ] {
      #expect(throws: NumberOutOfRange(field, given: number)) { try settings.set(field, to: number) }
    }
    #expect(throws: NumberOutOfRange.self) { try settings.set(field, to: .nan) }
    #expect(settings == before)
  }

  @Test func `a replay may assume the speed of a satellite, and no more`() throws {
    func replay(_ speed: Double, _ radius: Double) throws -> Settings {
      try .replay(maximumSpeed: .metresPerSecond(speed), defaultRadius: .metres(radius))
    }
    let fast = try replay(12_000, 0.01)
    #expect(fast.maximumSpeed == Settings.fastestReplay && fast.defaultRadius == .metres(0.01))
    #expect(try replay(45, 50) == Settings())
    #expect(throws: NumberOutOfRange(.maximumSpeed, given: 0)) { try replay(0, 50) }
    #expect(throws: NumberOutOfRange(.maximumSpeed, given: 12_001)) { try replay(12_001, 50) }
    #expect(throws: NumberOutOfRange(.defaultRadius, given: 0)) { try replay(45, 0) }
  }

  /// One draft for each numeric field of a zone, with the error expected for it.
  private static let nonsense: [(draft: ZoneDraft, fault: NumberOutOfRange)] = [
    (
      draft(1) { $0.trigger = .dwell(.milliseconds(.max)) },
      .init(.dwell, given: Double(Int64.max) / 1000)
    ),
    (draft(1) { $0.trigger = .dwell(.milliseconds(-1)) }, .init(.dwell, given: -0.001)),
    (
      draft(1) { $0.sleepTime = .milliseconds(.max) }, .init(.sleepTime, given: Double(Int64.max) / 1000)
    ),
    (draft(1) { $0.leadTime = .seconds(1e9 + 1) }, .init(.leadTime, given: 1e9 + 1)),
    (draft(1) { $0.size = .metres(1e300) }, .init(.size, given: 1e300)),
    (draft(1) { $0.inset = .metres(-1e8) }, .init(.inset, given: -1e8)),
    (draft(1) { $0.alertDistance = .metres(-1) }, .init(.alertDistance, given: -1)),
    (
      draft(1) { $0.notice = Notice(title: "Title", text: "Text", cap: .milliseconds(.min)) },
      .init(.noticeCap, given: Double(Int64.min) / 1000)
    ),
  ]

  @Test(arguments: nonsense)
  func `no zone is made of a nonsense number, and what is refused is named`(
    draft: ZoneDraft, fault: NumberOutOfRange
  ) throws {
    #expect(throws: ZoneError.outOfRange(fault)) { try Zone(draft) }
    let mended = try Zone(draft.withNumbersInRange())
    #expect(mended.name == draft.name && mended.outline == draft.outline)
    let stored = try #require(Self.refused(draft))
    let good = Self.zone(2)
    var timeline = Timeline(
      device: DeviceID(rawValue: 1), settings: .phone,
      watched: WatchedZones(
        [good], defaultRadius: Settings.phone.defaultRadius, unreadable: [(draft.id, stored)]))
    #expect(timeline.refusedZones.map { $0.zone } == [draft.id])
    #expect(timeline.refusedZones.map { $0.error } == [.outOfRange(fault)])
    let change = timeline.insert([
      .fix(Fix(position: Self.place, accuracy: .radius(.metres(5)), measuredAt: Self.start))
    ])
    let rang = change.added.compactMap { event -> ZoneID? in
      if case .alarm(let report) = event.kind { report.zone } else { nil }
    }
    #expect(rang == [good.id])
  }

  private static func refused(_ draft: ZoneDraft) -> ZoneError? {
    var record = SyncRecord()
    record.edit(to: draft.fields, at: HybridTime(time: start, counter: 0, node: 1))
    return ZoneDraft.stored(id: draft.id, record: record).fault
  }

  @Test func `no zone is made without places, and no path of one`() {
    #expect(throws: ZoneError.noLocations) { try Zone(Self.draft(1) { $0.outline = .locations([]) }) }
    #expect(throws: ZoneError.tooFewPlaces(given: 1)) {
      try Zone(Self.draft(1) { $0.outline = .path([Self.place]) })
    }
  }

  @Test(arguments: nonsense)
  func `its record is refused with what was given, and read as it is where it is stored already`(
    draft: ZoneDraft, fault: NumberOutOfRange
  ) {
    var record = SyncRecord()
    record.edit(to: draft.fields, at: HybridTime(time: Self.start, counter: 0, node: 1))
    #expect(throws: FieldError.number(fault)) { try Zone(id: draft.id, record: record) }
    let stored = ZoneDraft.stored(id: draft.id, record: record)
    #expect(stored.draft == draft)
    #expect(stored.fault == .outOfRange(fault))
  }

  @Test func `a stored field that cannot be read leaves the others of the zone`() {
    let zone = Self.zone(1) { $0.priority = 7 }
    var record = SyncRecord()
    let time = HybridTime(time: Self.start, counter: 0, node: 1)
    record.edit(to: zone.fields, at: time)
    record.set(
      FieldRegister(
        field: ZoneField.assurance.rawValue, value: [9],
        editedAt: HybridTime(time: Self.start, counter: 1, node: 1)))
    let stored = ZoneDraft.stored(id: zone.id, record: record)
    #expect(stored.fault == .unreadable(.unknown(given: 9)))
    #expect(stored.draft.priority == 7)
    #expect(stored.draft.assurance == .normal)
    let watched = WatchedZones([], unreadable: [(zone.id, .unreadable(.unknown(given: 9)))])
    #expect(watched.refused.map { $0.zone } == [zone.id])
  }

  @Test
  func `dwelling and sleeping as long as is allowed, at the end of all clocks, never comes and never traps`()
  {
    let zone = Self.zone(1) {
      $0.trigger = .dwell(.seconds(RangedField.dwell.allowed.upperBound))
      $0.sleepTime = .seconds(RangedField.sleepTime.allowed.upperBound)
    }
    var timeline = Timeline(device: DeviceID(rawValue: 1), settings: .phone, zones: [zone])
    let end = Instant.allowed.upperBound
    timeline.insert([.fix(Fix(position: Self.place, accuracy: .radius(.metres(5)), measuredAt: end))])
    #expect(timeline.refusedZones.isEmpty)
    #expect(timeline.nextDue.map { $0 > end } ?? false)
    timeline.advance(to: end)
    #expect(timeline.events.isEmpty)
  }
}
