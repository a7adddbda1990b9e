import AlarmEngine
import Foundation
import Testing

@testable import Store

@Suite("Contract: maintenance")
struct MaintenanceContract {
  typealias S = StoreSamples

  /// An account with something in every table.
  static func fill(_ store: SQLStore, _ login: String) async throws -> (Account, Device, Channel) {
    let account = try await store.makeAccount(login)
    let device = S.device("phone of \(login)", of: account.id)
    try await store.create(device, identities: [DeviceIdentity(.traccar, login, of: nil)])
    let channel = try await store.makeChannel("channel of \(login)", of: account)
    // A hash of the whole id: two random ids have a byte in common now and then.
    let hash = S.hash(of: account.id)
    let session = Session(
      account: account.id, hash: hash, userAgent: "Browser of \(login)", createdAt: S.time(),
      expiresAt: S.time(100))
    try await store.create(session)
    try await store.create(
      SignInCode(
        hash: hash, account: account.id, session: session.id, createdAt: S.time(), expiresAt: S.time(100)))
    try await store.create(
      DeviceToken(
        account: account.id, device: device.id, hash: hash, name: "token of \(login)",
        createdAt: S.time()))
    let collection = ZoneCollection(
      owner: account.id, name: "all of \(login)", isPublic: true, createdAt: S.time())
    try await store.create(collection)
    let zone = try await store.save(
      S.zone(1, Text("zone of \(login)")), of: account.id, in: collection.id, over: nil, at: S.time())
    try await store.save(
      S.zone(1, "zone"), of: account.id, in: collection.id, over: zone.revision, at: S.time())
    try await store.follow(collection.id, by: account.id, at: S.time())
    try await store.unfollow(collection.id, by: account.id, at: S.time(10))
    let content = Message(
      yourMoniker: "message", toMoniker: "b", contactNumber: "c", supplement: "d")
    try await store.create(SavedMessage(account: account.id, message: content), at: S.time())
    try await store.save(
      Sound(account: account.id, name: "horn", mediaType: "audio/ogg", size: 3, savedAt: S.time()),
      bytes: [1, 2, 3])
    try await store.save(
      try Reminder(id: ReminderID(rawValue: 1), title: "reminder"), of: account.id, over: nil, at: S.time())
    try await store.saveSettings("{\"of\":1}", of: account.id, over: Revision(rawValue: 0), at: S.time())
    _ = try await store.showNotice(
      of: ZoneID(rawValue: 1), on: device.id, of: account.id, cap: .zero, at: S.time())
    let alarm = AlarmID(rawValue: account.id.rawValue)
    _ = try await store.record {
      $0.fixes = [DeviceFixes(device: device.id, fixes: (0..<50).map { S.fix(Double($0) * 20_000) })]
      $0.alarms = [S.alarm(alarm.rawValue, of: account.id, device.id)]
      $0.outbox = [S.item(channel, alarm: alarm.rawValue)]
      $0.commands = [DeviceCommand(device: device.id, at: S.time(), kind: .sleep(alarm), by: login)]
      $0.reminded = [
        ReminderTelling(
          reminder: ReminderID(rawValue: 1), account: account.id, device: device.id, at: S.time(),
          place: "shop of \(login)", distance: 80)
      ]
      $0.events = [
        DeviceEvent(
          device: device.id,
          event: Event(
            time: S.time(), decidedAt: S.time(), learnedAt: S.time(), kind: .notice(zone: ZoneID(rawValue: 1))
          ))
      ]
      $0.rawBodies = [
        RawBody(device: device.id, receivedAt: S.time(), source: "/pub", reason: "type", body: [1])
      ]
      $0.snapshots = [
        DeviceSnapshot(device: device.id, through: S.time(), zoneSet: .first, bytes: [1])
      ]
    }
    try await store.record(
      DeliveryAttempt(
        alarm: alarm, channel: channel.id, attempt: 1, startedAt: S.time(), endedAt: S.time(),
        outcome: .delivered, detail: "of \(login)"))
    return (account, device, channel)
  }

  @Test(arguments: StoreForm.allCases)
  func `old fixes go in small steps, the rest stays`(form: StoreForm) async throws {
    try await form.withStore { store in
      let (anna, phone, _) = try await Self.fill(store, "anna")
      let (bob, other, _) = try await Self.fill(store, "bob")
      var retention = Retention(account: anna.id)
      retention.fixesBefore = S.time(86_400 * 3)
      var steps = 0
      while true {
        let removed = try await store.prune(retention, limit: 4)
        #expect(removed <= 5)
        if removed == 0 { break }
        steps += 1
      }
      #expect(steps >= 3)
      let always = IngestContract.always
      // 13 of the 50 are in the first three days, one every 20,000 s.
      #expect(try await store.fixes(of: phone.id, account: anna.id, in: always, limit: 99).count == 37)
      #expect(try await store.fixes(of: other.id, account: bob.id, in: always, limit: 99).count == 50)
      retention = Retention()
      retention.fixesBefore = S.time(86_400 * 30)
      retention.expiredBefore = S.time(1e6)
      retention.rawBodiesBefore = S.time(1e6)
      while try await store.prune(retention, limit: 7) > 0 {}
      #expect(try await store.fixes(of: other.id, account: bob.id, in: always, limit: 99).isEmpty)
      #expect(try await store.events(of: other.id, account: bob.id, in: always, limit: 9).isEmpty)
      #expect(try await store.sessions(of: bob.id, at: S.time()).isEmpty)
      #expect(try await store.rawBodies(of: other.id, limit: 9).isEmpty)
      #expect(try await store.openAlarms(after: nil, limit: 9).count == 2)
      #expect(try await store.tokens(of: bob.id).count == 1)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `days that are arranged keep their positions, and go as a whole`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phone = S.device("phone", of: anna.id)
      try await store.create(phone, identities: [])
      let now = Instant(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1000))
      func day(_ number: Int) -> Instant { now + .hours(24 * Double(number)) }
      func positions() async throws -> Int {
        try await store.fixes(of: phone.id, account: anna.id, in: IngestContract.always, limit: 99).count
      }
      let track = (-3...12).map { S.fix(Double((day($0) - S.time()).milliseconds) / 1000) }
      _ = try await store.record { $0.fixes = [DeviceFixes(device: phone.id, fixes: track)] }
      let made = try await store.arrangeDays(at: now, fixesBefore: nil)
      #expect(try await store.arrangeDays(at: now, fixesBefore: nil) == 0, "nothing is left to do")
      #expect(try await positions() == track.count)
      // New days already have positions, from a phone whose clock is ahead.
      let later = try await store.arrangeDays(at: day(4), fixesBefore: nil)
      #expect(try await positions() == track.count)
      let last = try await store.arrangeDays(at: day(12), fixesBefore: day(5))
      var retention = Retention()
      retention.fixesBefore = day(5)
      while try await store.prune(retention, limit: 5) > 0 {}
      #expect(try await positions() == 8)
      // Positions sent again already exist, wherever their day is stored now.
      _ = try await store.record { $0.fixes = [DeviceFixes(device: phone.id, fixes: Array(track.suffix(8)))] }
      #expect(try await positions() == 8)
      let expected: [Int]
      switch form {
      case .file: expected = [0, 0, 0]
      #if PostgreSQL
        // The first days, up to tomorrow, are in one partition; it is removed with the three days after it,
        // when eight more are made.
        case .postgreSQL: expected = [6, 4, 8 + 4]
      #endif
      }
      let counts: [Int] = [made, later, last]
      #expect(counts == expected)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `ended alarms and deletions are forgotten when their time has come`(form: StoreForm) async throws {
    try await form.withStore { store in
      let (anna, phone, _) = try await Self.fill(store, "anna")
      var ended = S.alarm(77, of: anna.id, phone.id)
      ended.state = .cleared(.left, at: S.time(10))
      _ = try await store.record { $0.alarms = [ended] }
      try await store.deleteZone(ZoneID(rawValue: 1), of: anna.id, over: nil, at: S.time(10))
      var retention = Retention()
      retention.alarmsBefore = S.time(10)
      retention.deletionsBefore = S.time(10)
      #expect(try await store.prune(retention, limit: 99) == 0)
      retention.alarmsBefore = S.time(11)
      retention.deletionsBefore = S.time(11)
      // An alarm, a zone with its feed entry, and the feed entry for following.
      #expect(try await store.prune(retention, limit: 99) == 4)
      await #expect(throws: StoreError.notFound) { try await store.alarm(ended.id) }
      await #expect(throws: StoreError.notFound) {
        try await store.zoneRecord(ZoneID(rawValue: 1), of: anna.id)
      }
      #expect(try await store.openAlarms(after: nil, limit: 9).count == 1)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `an export has all of the account, and no secret`(form: StoreForm) async throws {
    try await form.withStore { store in
      let (anna, phone, _) = try await Self.fill(store, "anna")
      _ = try await Self.fill(store, "bob")
      let checkIn = CheckIn(account: anna.id, device: phone.id, setAt: S.time(), dueAt: S.time(3600))
      try await store.set(checkIn, at: S.time())
      let time = try #require(ExpectedArrival.Time(minute: 480, days: .everyDay, timeZone: "Europe/Berlin"))
      try await store.create(
        ExpectedArrival(
          account: anna.id, zone: ZoneID(rawValue: 1), device: phone.id, time: time, createdAt: S.time(),
          nextDue: S.time(3600)), at: S.time())
      let rows = Collected<ExportRow>()
      try await store.export(anna.id) { rows.append($0) }
      let tables = Set(rows.all.map(\.table))
      #expect(
        tables == [
          "account", "setting", "session", "device_token", "collection", "channel", "message", "sound",
          "notice",
          "alarm", "attempt", "device", "zone", "former_zone", "reminder", "device_identity", "command",
          "event", "raw_body",
          "fix", "reminder_telling", "check_in", "expected_arrival",
        ])
      #expect(rows.all.filter { $0.table == "fix" }.count == 50)
      let text = rows.all.map { "\($0)" }.joined(separator: "\n")
      #expect(text.contains("anna") && text.contains("AlertZoneStart"))
      for secret in ["argon2id", "hush-hush", "bob"] { #expect(!text.contains(secret), "\(secret)") }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `an erasure shuts the account at once, ends in steps, and spares the others`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let (anna, phone, _) = try await Self.fill(store, "anna")
      let (bob, other, _) = try await Self.fill(store, "bob")
      let collection = try #require(
        try await store.collections(seenBy: bob.id, after: nil, limit: 9).first {
          $0.collection.owner == anna.id
        })
      try await store.follow(collection.collection.id, by: bob.id, at: S.time())
      let before = try await store.zoneSetRevision(of: bob.id)
      #expect(try await store.erase(anna.id, limit: 20) == false)
      #expect(try await store.accountsBeingErased() == [anna.id])
      await #expect(throws: StoreError.notFound) { try await store.account(anna.id) }
      #expect(try await store.zoneSetRevision(of: bob.id) > before)
      _ = try await store.makeAccount("anna")
      var steps = 0
      while try await store.erase(anna.id, limit: 20) == false { steps += 1 }
      #expect(steps >= 2)
      #expect(try await store.accountsBeingErased().isEmpty)
      await #expect(throws: StoreError.notFound) { try await store.device(phone.id) }
      let fixes = try await store.fixes(of: other.id, account: bob.id, in: IngestContract.always, limit: 99)
      #expect(fixes.count == 50)
      #expect(try await store.integrityIssues().isEmpty)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a deleted device's history goes with the next prunings`(form: StoreForm) async throws {
    try await form.withStore { store in
      let (anna, phone, _) = try await Self.fill(store, "anna")
      try await store.deleteDevice(phone.id, of: anna.id, at: S.time(1))
      var removed = 0
      while true {
        let step = try await store.prune(Retention(), limit: 10)
        if step == 0 { break }
        removed += step
      }
      // 50 fixes, a command, an event, an alarm.
      #expect(removed == 53)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `statistics count, and a sound store has no issue`(form: StoreForm) async throws {
    try await form.withStore { store in
      _ = try await Self.fill(store, "anna")
      let figures = try await store.statistics()
      #expect(figures.accounts == 1 && figures.devices == 1 && figures.zones == 1)
      #expect(figures.alarms == 1 && figures.openAlarms == 1 && figures.outbox == 1)
      #expect(figures.oldestDue == S.time() && figures.fileBytes > 0)
      #expect(try await store.integrityIssues().isEmpty)
      #expect(try await store.quickCheck().isEmpty)
      try await store.checkWritable()
    }
  }
}

/// Collects elements from a callback.
final class Collected<Element: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var elements: [Element] = []
  var all: [Element] { lock.withLock { elements } }
  func append(_ element: Element) { lock.withLock { elements.append(element) } }
}
