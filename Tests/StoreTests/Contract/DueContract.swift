import AlarmEngine
import Testing

@testable import Store

@Suite("Contract: what is due")
struct DueContract {
  typealias S = StoreSamples

  private func plain(_ name: String, of account: Account, _ store: SQLStore) async throws -> Device {
    let device = Device(account: account.id, name: name, createdAt: S.time())
    try await store.create(device, identities: [])
    return device
  }

  private static func due(
    _ store: SQLStore, _ account: AccountID?, _ through: Double, limit: Int = 9
  ) async throws -> [DeviceID] {
    try await store.devicesDue(of: account, through: S.time(through), limit: limit).map(\.device)
  }

  private static func marks(_ store: SQLStore) async throws -> [DeviceID: DueMark] {
    let due = try await store.devicesDue(of: nil, through: S.time(1000), limit: 99)
    return Dictionary(uniqueKeysWithValues: due.map { ($0.device, $0.mark) })
  }

  @Test(arguments: StoreForm.allCases)
  func `devices come up at their time, the earliest first`(form: StoreForm) async throws {
    try await form.withStore { store in
      let (anna, bob) = (try await store.makeAccount("anna"), try await store.makeAccount("bob"))
      let one = try await plain("one", of: anna, store)
      let two = try await plain("two", of: anna, store)
      let other = try await plain("other", of: bob, store)
      #expect(try await store.nextDeviceDue() == nil)
      _ = try await store.record {
        $0.dues = [
          DeviceDue(device: one.id, at: S.time(20)), DeviceDue(device: two.id, at: S.time(10)),
          DeviceDue(device: other.id, at: S.time(15)), DeviceDue(device: .random(), at: S.time(1)),
        ]
      }
      #expect(try await store.nextDeviceDue() == S.time(10))
      #expect(try await store.devicesDue(of: nil, through: S.time(9), limit: 9).isEmpty)
      #expect(
        try await Self.due(store, nil, 20, limit: 9) == [
          two.id, other.id, one.id,
        ])
      #expect(
        try await Self.due(store, nil, 20, limit: 2) == [
          two.id, other.id,
        ])
      #expect(
        try await Self.due(store, anna.id, 20, limit: 9) == [
          two.id, one.id,
        ])
      #expect(try await store.deviceState(one.id, since: S.time()).due == S.time(20))
      let marks = try await Self.marks(store)
      _ = try await store.record {
        $0.dues = [
          DeviceDue(device: two.id, at: S.time(30), seen: marks[two.id]),
          DeviceDue(device: other.id, at: nil, seen: marks[other.id]),
          // Without a mark the due time stays as early as it was.
          DeviceDue(device: one.id, at: S.time(25)),
        ]
      }
      #expect(
        try await Self.due(store, nil, 99, limit: 9) == [one.id, two.id])
      try await store.deleteDevice(one.id, of: anna.id, at: S.time())
      #expect(try await Self.due(store, nil, 99, limit: 9) == [two.id])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `an edit makes the devices due that it concerns, and never later than they were`(
    form: StoreForm
  ) async throws {
    try await form.withStore { store in
      let (anna, bob) = (try await store.makeAccount("anna"), try await store.makeAccount("bob"))
      let near = try await plain("near", of: anna, store)
      let never = try await plain("never", of: anna, store)
      let follower = try await plain("follower", of: bob, store)
      let collection = ZoneCollection(owner: anna.id, name: "all", isPublic: true, createdAt: S.time())
      try await store.create(collection)
      try await store.follow(collection.id, by: bob.id, at: S.time())
      let revisions = [
        near.id: try await store.zoneSetRevision(of: anna.id),
        follower.id: try await store.zoneSetRevision(of: bob.id),
      ]
      _ = try await store.record {
        $0.snapshots = revisions.map {
          DeviceSnapshot(device: $0, through: S.time(), zoneSet: $1, bytes: [1])
        }
        $0.dues = [DeviceDue(device: near.id, at: S.time(5))]
      }
      try await store.save(S.zone(1), of: anna.id, in: nil, over: nil, at: S.time(10))
      #expect(try await Self.due(store, nil, 99, limit: 9) == [near.id])
      #expect(try await store.nextDeviceDue() == S.time(5))
      try await store.save(S.zone(2), of: anna.id, in: collection.id, over: nil, at: S.time(20))
      #expect(
        try await Self.due(store, bob.id, 20, limit: 9) == [follower.id])
      var silent = try await store.device(never.id)
      silent.reportInterval = .minutes(5)
      try await store.save(silent, over: .first, at: S.time(30))
      #expect(
        try await Self.due(store, anna.id, 30, limit: 9) == [
          near.id, never.id,
        ])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a device whose zones change while it is looked at stays due`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phones = [
        try await plain("one", of: anna, store), try await plain("two", of: anna, store),
        try await plain("three", of: anna, store),
      ]
      let before = try await store.zoneSetRevision(of: anna.id)
      _ = try await store.record { batch in
        batch.snapshots = phones.map {
          DeviceSnapshot(device: $0.id, through: S.time(), zoneSet: before, bytes: [1])
        }
        batch.dues = phones.map { DeviceDue(device: $0.id, at: S.time(5)) }
      }
      let seen = try await Self.marks(store)
      #expect(seen.count == 3)
      // The same due time as before.
      try await store.save(S.zone(1), of: anna.id, in: nil, over: nil, at: S.time(5))
      let look: @Sendable (inout IngestBatch, [DeviceID: DueMark]) -> Void = { batch, seen in
        batch.dues = [
          DeviceDue(device: phones[0].id, at: S.time(900), seen: seen[phones[0].id]),
          DeviceDue(device: phones[1].id, at: nil, seen: seen[phones[1].id]),
          DeviceDue(device: phones[2].id, at: S.time(900)),
        ]
      }
      _ = try await store.record { look(&$0, seen) }
      #expect(try await store.devicesDue(of: anna.id, through: S.time(5), limit: 9).count == 3)
      let again = try await Self.marks(store)
      _ = try await store.record { look(&$0, again) }
      #expect(
        try await Self.due(store, anna.id, 5, limit: 9) == [phones[2].id])
      #expect(try await Self.marks(store).count == 2)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `an engine that is stored with zones of before an edit is due, though nobody knew of it then`(
    form: StoreForm
  ) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phone = try await plain("new", of: anna, store)
      let before = try await store.zoneSetRevision(of: anna.id)
      try await store.save(S.zone(1), of: anna.id, in: nil, over: nil, at: S.time(5))
      #expect(try await Self.marks(store).isEmpty)
      let outdated = DeviceSnapshot(device: phone.id, through: S.time(), zoneSet: before, bytes: [1])
      _ = try await store.record { $0.snapshots = [outdated] }
      #expect(Array(try await Self.marks(store).keys) == [phone.id])
      let present = DeviceSnapshot(
        device: phone.id, through: S.time(), zoneSet: try await store.zoneSetRevision(of: anna.id), bytes: [1]
      )
      let marks = try await Self.marks(store)
      _ = try await store.record {
        $0.snapshots = [present]
        $0.dues = [DeviceDue(device: phone.id, at: nil, seen: marks[phone.id])]
      }
      #expect(try await Self.marks(store).isEmpty)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `devices of a disabled account are not due before it is in use again`(form: StoreForm) async throws {
    try await form.withStore { store in
      var anna = try await store.makeAccount("anna")
      let phone = try await store.makeDevice("phone", of: anna)
      #expect(try await store.nextDeviceDue() == S.time())
      anna.isDisabled = true
      anna = try await store.save(anna, over: .first, at: S.time())
      #expect(try await store.nextDeviceDue() == nil)
      anna.isDisabled = false
      try await store.save(anna, over: anna.revision, at: S.time(50))
      #expect(try await Self.due(store, nil, 50, limit: 9) == [phone.id])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a clock that is set back moves what happened and makes due what lies ahead`(
    form: StoreForm
  ) async throws {
    try await form.withStore { store in
      #expect(try await store.latestTime() == nil)
      let anna = try await store.makeAccount("anna")
      let phone = try await plain("phone", of: anna, store)
      _ = try await store.record(at: 100) {
        $0.fixes = [DeviceFixes(device: phone.id, fixes: [S.fix(95)])]
        $0.alarms = [S.alarm(1, of: anna.id, phone.id, at: 98)]
        $0.dues = [DeviceDue(device: phone.id, at: S.time(500))]
      }
      #expect(try await store.latestTime() == S.time(100))
      try await store.clockSetBack(to: S.time(10), by: .seconds(90))
      #expect(try await store.latestTime() == S.time(10))
      #expect(try await store.nextDeviceDue() == S.time(10))
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `escalation counts from attempts that a clock set back moves`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phone = try await plain("phone", of: anna, store)
      let alarm = S.alarm(1, of: anna.id, phone.id, at: 98)
      _ = try await store.record(at: 100) { $0.alarms = [alarm] }
      try await store.record(
        DeliveryAttempt(
          alarm: alarm.id, channel: ChannelID(rawValue: 5), attempt: 1, startedAt: S.time(99),
          endedAt: S.time(100),
          outcome: .delivered, detail: ""))
      try await store.clockSetBack(to: S.time(11), by: .seconds(90))
      let attempts = try await store.attempts(of: alarm.id, account: anna.id)
      #expect(attempts.map(\.startedAt) == [S.time(9)] && attempts.map(\.endedAt) == [S.time(10)])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `what a clock that was ahead has noted holds up nothing once it is right`(form: StoreForm) async throws
  {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phone = try await plain("phone", of: anna, store)
      let (ahead, now) = (S.time(100_000), S.time(10))
      var status = DeviceStatus()
      (status.battery, status.toldAt, status.lowBatterySince) = (0.5, ahead, ahead)
      _ = try await store.record(at: 100_000) { [status] in $0.statuses = [phone.id: status] }
      let zone = ZoneID(rawValue: 7)
      func show(_ time: Instant) async throws -> Bool {
        try await store.showNotice(of: zone, on: phone.id, of: anna.id, cap: .minutes(10), at: time)
      }
      #expect(try await show(ahead))
      let factor = SecondFactor(account: anna.id, secret: [1])
      try await store.begin(factor)
      try await store.confirm(
        factor, step: ahead.millisecondsSince1970 / 30_000, recoveryCodes: [], at: ahead)
      try await store.clockSetBack(to: now, by: .seconds(99_990))
      let known = try await store.device(phone.id).status
      #expect(known.toldAt == now && known.lowBatterySince == now)
      #expect(try await show(now) == false)
      #expect(try await show(now + .minutes(10)))
      try await store.use(step: now.millisecondsSince1970 / 30_000, of: anna.id)
      await #expect(throws: StoreError.notFound) {
        try await store.use(step: now.millisecondsSince1970 / 30_000, of: anna.id)
      }
    }
  }
}
