import AlarmEngine
import Geometry
import TestSupport
import Testing

@testable import Store

@Suite("Contract: the path of fixes")
struct IngestContract {
  typealias S = StoreSamples
  static let always = Instant(millisecondsSince1970: .min)...Instant(millisecondsSince1970: .max)

  @Test(arguments: StoreForm.allCases)
  func `fixes read back as they were, in the order of time, once`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phone = try await store.makeDevice("phone", of: anna)
      let bare = StoredFix(
        Fix(
          position: Coordinate(latitude: .degrees(-90), longitude: .degrees(180)), accuracy: .unstated,
          measuredAt: S.time(-86_400 * 40)))
      let invalid = S.fix(10, accuracy: -1)
      let fixes = [S.fix(20), invalid, S.fix(86_400 * 3), bare, S.fix(20, accuracy: 13), S.fix(20)]
      let first = try await store.record { $0.fixes = [DeviceFixes(device: phone.id, fixes: fixes)] }
      #expect(first.newFixes == 5)
      let again = try await store.record {
        $0.fixes = [DeviceFixes(device: phone.id, fixes: fixes + [S.fix(30)])]
      }
      #expect(again.newFixes == 1)
      let read = try await store.fixes(of: phone.id, account: anna.id, in: Self.always, limit: 100)
      #expect(read == [bare, invalid, S.fix(20), S.fix(20, accuracy: 13), S.fix(30), S.fix(86_400 * 3)])
      let some = try await store.fixes(
        of: phone.id, account: anna.id, in: S.time(20)...S.time(30), limit: 2)
      #expect(some == [S.fix(20), S.fix(20, accuracy: 13)])
      let bob = try await store.makeAccount("bob")
      await #expect(throws: StoreError.notFound) {
        try await store.fixes(of: phone.id, account: bob.id, in: Self.always, limit: 1)
      }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `the last fix before a time is found over empty days, and not beyond the bound`(
    form: StoreForm
  ) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phone = try await store.makeDevice("phone", of: anna)
      let other = try await store.makeDevice("other", of: anna)
      let days = TimeSpan.hours(24)
      _ = try await store.record {
        $0.fixes = [
          DeviceFixes(device: phone.id, fixes: [S.fix(-86_400 * 3), S.fix(20), S.fix(30)]),
          DeviceFixes(device: other.id, fixes: [S.fix(25), S.fix(-86_400)]),
        ]
      }
      func last(before time: Instant, within span: TimeSpan) async throws -> Instant? {
        try await store.timeOfFix(
          of: phone.id, account: anna.id, before: time, notBefore: time - span)
      }
      #expect(try await last(before: S.time(30), within: days * 7) == S.time(20))
      #expect(try await last(before: S.time(31), within: days * 7) == S.time(30))
      #expect(try await last(before: S.time(20), within: days * 7) == S.time(-86_400 * 3))
      #expect(try await last(before: S.time(20), within: days * 3) == nil)
      #expect(try await last(before: S.time(-86_400 * 3), within: days * 7) == nil)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `an alarm is found by the id that the engine gives it now, and its answers name that one`(
    form: StoreForm
  ) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phone = try await store.makeDevice("phone", of: anna)
      let (own, present) = (AlarmID(rawValue: 11), AlarmID(rawValue: 12))
      func alarm(_ id: AlarmID, _ engineID: AlarmID, version: Int64 = 1) -> AlarmRecord {
        AlarmRecord(
          id: id, engineID: engineID, account: anna.id, device: phone.id,
          subject: .zone(ZoneID(rawValue: 3), name: "Quarry", .inside), began: S.time(0),
          decidedAt: S.time(0), learnedAt: S.time(0), lastRangAt: S.time(0), isHeldBack: true,
          version: version)
      }
      _ = try await store.record {
        $0.alarms = [alarm(own, own)]
        $0.commands = [DeviceCommand(device: phone.id, at: S.time(1), kind: .close(own), by: "anna")]
      }
      func engineID() async throws -> AlarmID? {
        try await store.commands(of: phone.id, account: anna.id, in: Self.always, limit: 9).first?.engineID
      }
      #expect(try await engineID() == nil)
      _ = try await store.record { $0.alarms = [alarm(own, present, version: 2)] }
      #expect(try await store.alarms(named: [present]) == [alarm(own, present, version: 2)])
      #expect(try await store.alarms(named: [own]).map(\.id) == [own])
      #expect(try await engineID() == present)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `heights read back with their error and reference, those from before decided nothing`(
    form: StoreForm
  ) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phone = try await store.makeDevice("phone", of: anna)
      let altitudes = [
        nil, Altitude(metres: 440.25, error: 3.5, reference: .seaLevel),
        Altitude(metres: -12, reference: .seaLevel),
        Altitude(metres: 9000, error: 20, reference: .unknown), Altitude(metres: 1, reference: .unknown),
      ]
      let fixes = altitudes.enumerated().map { second, altitude in
        StoredFix(
          Fix(
            position: S.fix(0).fix.position, accuracy: .radius(.metres(5)),
            measuredAt: S.time(Double(second)), altitude: altitude))
      }
      _ = try await store.record {
        $0.fixes = [DeviceFixes(device: phone.id, fixes: fixes + [S.fix(60)])]
      }
      let read = try await store.fixes(of: phone.id, account: anna.id, in: Self.always, limit: 100)
      #expect(read.map(\.fix.altitude) == altitudes + [nil])
      #expect(read.map(\.altitude?.metres) == [nil, 440.25, -12, 9000, 1, 298.5])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a device knows its last fix by its own time, and when anything came`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phone = try await store.makeDevice("phone", of: anna)
      _ = try await store.record(at: 5) { $0.fixes = [DeviceFixes(device: phone.id, fixes: [])] }
      var device = try await store.device(phone.id)
      #expect(device.lastFix == nil && device.lastReceivedAt == S.time(5))
      // A fix from a clock a year ahead does not count as the last position.
      let future = StoredFix(
        Fix(
          position: S.fix(0).fix.position, accuracy: .unstated, measuredAt: S.time(3e7),
          receivedAt: S.time(50)))
      _ = try await store.record(at: 50) {
        $0.fixes = [DeviceFixes(device: phone.id, fixes: [S.fix(40), S.fix(20), future])]
      }
      _ = try await store.record(at: 60) { $0.fixes = [DeviceFixes(device: phone.id, fixes: [S.fix(30)])] }
      device = try await store.device(phone.id, of: anna.id)
      #expect(device.lastFix == S.fix(40).fix && device.lastReceivedAt == S.time(60))
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a device's engine is made again from its snapshot and what came later`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phone = try await store.makeDevice("phone", of: anna)
      let commands = [
        DeviceCommand.Kind.activate, .deactivate, .close(AlarmID(rawValue: 1)),
        .sleep(AlarmID(rawValue: .max)), .acknowledgeInside(AlarmID(rawValue: 3)),
        .acknowledgeForToday(AlarmID(rawValue: 4), until: S.time(9)), .replaceZones(Revision(rawValue: 6)),
      ].enumerated().map {
        DeviceCommand(device: phone.id, at: S.time(Double($0.offset / 3)), kind: $0.element, by: "anna")
      }
      _ = try await store.record {
        $0.fixes = [DeviceFixes(device: phone.id, fixes: (0..<5).map { S.fix(Double($0)) })]
        $0.commands = commands
      }
      var state = try await store.deviceState(phone.id, since: S.time(0))
      #expect(state.snapshot == nil && state.device.id == phone.id)
      #expect(state.zoneSet == (try await store.zoneSetRevision(of: anna.id)))
      #expect(state.fixes.map(\.fix.measuredAt) == (1..<5).map { S.time(Double($0)) })
      #expect(state.commands == Array(commands[3...]))
      let snapshot = DeviceSnapshot(
        device: phone.id, through: S.time(2), zoneSet: Revision(rawValue: 4), bytes: [9, 8, 7],
        silences: [.seconds(150), .milliseconds(1)])
      _ = try await store.record { $0.snapshots = [snapshot] }
      state = try await store.deviceState(phone.id, since: S.time(-1000))
      #expect(state.snapshot == snapshot)
      #expect(state.fixes == [S.fix(3), S.fix(4)])
      #expect(state.commands.isEmpty)
      #expect(
        try await store.commands(of: phone.id, account: anna.id, in: Self.always, limit: 99) == commands)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `events read back equal`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phone = try await store.makeDevice("phone", of: anna)
      let report = AlarmReport(
        alarm: AlarmID(rawValue: 1), zone: ZoneID(rawValue: 2), cause: .inside, distance: .metres(-4),
        position: S.fix(0).fix.position)
      let events = [
        DeviceEvent(
          device: phone.id,
          event: Event(time: S.time(1), decidedAt: S.time(2), learnedAt: S.time(3), kind: .alarm(report))),
        DeviceEvent(
          device: phone.id,
          event: Event(
            time: S.time(4), decidedAt: S.time(4), learnedAt: S.time(4),
            kind: .ignored(S.fix(4).fix, .outlier)), isRetracted: true),
      ]
      _ = try await store.record { $0.events = [events[1], events[0]] }
      #expect(try await store.events(of: phone.id, account: anna.id, in: Self.always, limit: 9) == events)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `alarms keep one row, whose version only grows, and its feed entry moves on`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let (anna, bob) = (try await store.makeAccount("anna"), try await store.makeAccount("bob"))
      let phone = try await store.makeDevice("phone", of: anna)
      let states: [AlarmRecord.State] = [
        .ringing, .closed, .sleeping(until: S.time(9)), .acknowledgedInside,
        .acknowledgedForToday(until: S.time(99)), .cleared(.passedThrough, at: S.time(99)), .retracted,
      ]
      var last = ChangeCursor.start
      for (index, state) in states.enumerated() {
        var alarm = S.alarm(1, of: anna.id, phone.id)
        alarm.state = state
        alarm.version = Int64(index + 1)
        alarm.answeredBy = "anna"
        _ = try await store.record { $0.alarms = [alarm] }
        let cursor = try await store.cursor(of: anna.id)
        #expect(cursor > last)
        last = cursor
        #expect(try await store.alarm(alarm.id, of: anna.id) == alarm)
        #expect(try await store.openAlarms(after: nil, limit: 9).count == (alarm.isOpen ? 1 : 0))
      }
      let page = try await store.changes(of: anna.id, after: .start, limit: 100)
      #expect(page.entries.filter { $0.kind == .alarm }.map(\.cursor) == [last])
      await #expect(throws: StoreError.notFound) {
        try await store.alarm(AlarmID(rawValue: 1), of: bob.id)
      }
      var silent = S.alarm(2, of: anna.id, phone.id, at: 5)
      silent.subject = .silence(since: S.time(-60))
      silent.distance = nil
      silent.position = nil
      var lost = S.alarm(3, of: anna.id, phone.id, at: 5)
      lost.subject = .missedSignal(ZoneID(rawValue: 8), name: Text(utf8: [0xff]))
      _ = try await store.record { $0.alarms = [silent, lost] }
      #expect(
        try await store.alarms(of: anna.id, device: phone.id, before: nil, limit: 2) == [lost, silent])
      #expect(
        try await store.alarms(of: anna.id, device: nil, before: silent.id, limit: 2).map(\.id.rawValue)
          == [1])
      #expect(try await store.deviceState(phone.id, since: S.time()).openAlarms == [silent, lost])
      #expect(try await store.alarms([lost.id, AlarmID(rawValue: 404), silent.id]) == [lost, silent])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a batch that fails leaves nothing of it`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phone = try await store.makeDevice("phone", of: anna)
      let hook = try await store.makeChannel("hook", of: anna)
      var alarm = S.alarm(1, of: anna.id, phone.id)
      alarm.version = 2
      _ = try await store.record { $0.alarms = [alarm] }
      let before = try await store.cursor(of: anna.id)
      alarm.version = 1
      await #expect(throws: StoreError.stale(stored: Revision(rawValue: 2))) {
        _ = try await store.record {
          $0.fixes = [DeviceFixes(device: phone.id, fixes: [S.fix(1)])]
          $0.snapshots = [
            DeviceSnapshot(device: phone.id, through: S.time(), zoneSet: .first, bytes: [1])
          ]
          $0.outbox = [S.item(hook)]
          $0.changes = [NewChange(account: anna.id, kind: .device, id: 1)]
          $0.alarms = [alarm]
        }
      }
      let state = try await store.deviceState(phone.id, since: S.time(-1))
      #expect(state.fixes.isEmpty && state.snapshot == nil && state.device.lastReceivedAt == nil)
      #expect(try await store.nextDue() == nil)
      #expect(try await store.cursor(of: anna.id) == before)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `what is about a device or channel that is gone is left out`(form: StoreForm) async throws {
    try await form.withStore { store in
      let (anna, bob) = (try await store.makeAccount("anna"), try await store.makeAccount("bob"))
      let phone = try await store.makeDevice("phone", of: anna)
      let gone = DeviceID(rawValue: 404)
      let foreign = S.channel("bob's", of: bob.id)
      let receipt = try await store.record {
        $0.fixes = [
          DeviceFixes(device: gone, fixes: [S.fix(1)]), DeviceFixes(device: phone.id, fixes: [S.fix(1)]),
        ]
        $0.snapshots = [DeviceSnapshot(device: gone, through: S.time(), zoneSet: .first, bytes: [])]
        $0.alarms = [S.alarm(1, of: anna.id, gone), S.alarm(2, of: bob.id, phone.id)]
        $0.outbox = [S.item(foreign)]
        $0.rawBodies = [RawBody(device: gone, receivedAt: S.time(), source: "", reason: "", body: [])]
      }
      #expect(receipt.newFixes == 1 && receipt.gone == [gone])
      #expect(try await store.openAlarms(after: nil, limit: 9).isEmpty)
      #expect(try await store.nextDue() == nil)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `raw bodies are bounded in size and number`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phone = try await store.makeDevice("phone", of: anna)
      let large = [UInt8](repeating: 65, count: RawBody.keptBytes + 1)
      for round in 0..<3 {
        _ = try await store.record {
          $0.rawBodies = (0..<60).map {
            RawBody(
              device: phone.id, receivedAt: S.time(Double(round * 60 + $0)), source: "/pub", reason: "type",
              body: $0 == 59 ? large : [])
          }
        }
      }
      let kept = try await store.rawBodies(of: phone.id, limit: 1000)
      #expect(kept.count == RawBody.keptForDevice)
      #expect(kept[0].body.count == RawBody.keptBytes)
      #expect(kept[0].receivedAt == S.time(179) && kept.last?.receivedAt == S.time(80))
      #expect(kept[1].body == [])
      #expect(kept[0].size == RawBody.keptBytes + 1 && kept[1].size == 0)
      // The total of bytes is limited too, apart from the latest body.
      let half = [UInt8](repeating: 66, count: RawBody.keptBytes / 2)
      _ = try await store.record {
        $0.rawBodies = (0..<40).map { _ in
          RawBody(device: phone.id, receivedAt: S.time(), source: "", reason: "", body: half)
        }
      }
      let fewer = try await store.rawBodies(of: phone.id, limit: 1000)
      #expect(fewer.map(\.body.count).reduce(0, +) == RawBody.keptBytesForDevice)
    }
  }
}
