import AlarmEngine
import Testing

@testable import Store

@Suite("Contract: expected arrivals")
struct ExpectedArrivalContract {
  typealias S = StoreSamples

  private static let school = ZoneID(rawValue: 1)

  private static func expected(
    of account: Account, on device: Device, zone: ZoneID = school, due: Double = 3600, isEnabled: Bool = true,
    minute: Int = 480
  ) throws -> ExpectedArrival {
    ExpectedArrival(
      account: account.id, zone: zone, device: device.id,
      time: try #require(
        ExpectedArrival.Time(minute: minute, days: .mondayToFriday, timeZone: "Europe/Berlin")),
      window: .minutes(30), isEnabled: isEnabled, createdAt: S.time(), nextDue: S.time(due))
  }

  /// An account with a phone and the zone `school`.
  private static func make(_ store: SQLStore, _ login: String) async throws -> (Account, Device) {
    let account = try await store.makeAccount(login)
    let device = Device(account: account.id, name: login, createdAt: S.time())
    try await store.create(device, identities: [])
    try await store.save(S.zone(1, "School"), of: account.id, in: nil, over: nil, at: S.time())
    return (account, device)
  }

  private static func state(of device: Device, _ store: SQLStore) async throws -> DeviceState {
    try await store.deviceState(device.id, since: S.time())
  }

  private static func forgetDue(_ store: SQLStore) async throws {
    for due in try await store.devicesDue(of: nil, through: S.time(1e9), limit: 99) {
      _ = try await store.record { $0.dues = [DeviceDue(device: due.device, at: nil, seen: due.mark)] }
    }
  }

  @Test func `a time needs a minute of the day and a day of the week`() {
    for minute in [-1, 1440, Int.max] {
      #expect(ExpectedArrival.Time(minute: minute, days: .everyDay, timeZone: "UTC") == nil)
    }
    #expect(ExpectedArrival.Time(minute: 0, days: [], timeZone: "UTC") == nil)
    #expect(ExpectedArrival.Time(minute: 0, days: .init(rawValue: 0x80), timeZone: "UTC") == nil)
    #expect(
      ExpectedArrival.Time(minute: 1439, days: .init(rawValue: 0xff), timeZone: "UTC")?.days == .everyDay)
  }

  @Test(arguments: StoreForm.allCases)
  func `each is stored as given, belongs to its account, and makes its phone due at each edit`(
    form: StoreForm
  ) async throws {
    try await form.withStore { store in
      let (anna, phone) = try await Self.make(store, "anna")
      let (bob, other) = try await Self.make(store, "bob")
      let tablet = try await store.makeDevice("tablet", of: anna)
      let first = try Self.expected(of: anna, on: phone)
      var version = try await Self.state(of: phone, store).version
      try await Self.forgetDue(store)
      try await store.create(first, at: S.time(5))
      #expect(try await store.expectedArrivals(of: anna.id) == [first])
      #expect(try await store.expectedArrivals(of: bob.id).isEmpty)
      #expect(try await store.expectedArrival(first.id, of: anna.id) == first)
      var state = try await Self.state(of: phone, store)
      #expect(state.expectedArrivals == [first] && state.version > version && state.due == S.time(5))
      version = state.version
      await #expect(throws: StoreError.taken) { try await store.create(first, at: S.time(6)) }
      await #expect(throws: StoreError.notFound) {
        try await store.expectedArrival(first.id, of: bob.id)
      }
      // Another phone: both have to be loaded again.
      let moved = ExpectedArrival(
        id: first.id, account: anna.id, zone: Self.school, device: tablet.id, time: first.time,
        window: .zero, isEnabled: false, createdAt: first.createdAt, nextDue: S.time(7200))
      try await Self.forgetDue(store)
      try await store.save(moved, at: S.time(7))
      #expect(try await store.expectedArrival(first.id, of: anna.id) == moved)
      state = try await Self.state(of: phone, store)
      #expect(state.expectedArrivals.isEmpty && state.version > version && state.due == S.time(7))
      state = try await Self.state(of: tablet, store)
      #expect(state.expectedArrivals == [moved] && state.due == S.time(7))
      let strange = [
        try Self.expected(of: anna, on: other),
        try Self.expected(of: anna, on: phone, zone: ZoneID(rawValue: 9)),
      ]
      for wrong in strange {
        await #expect(throws: StoreError.notFound) { try await store.create(wrong, at: S.time(8)) }
      }
      await #expect(throws: StoreError.notFound) {
        try await store.deleteExpectedArrival(first.id, of: bob.id, at: S.time(9))
      }
      #expect(try await store.deleteExpectedArrival(first.id, of: anna.id, at: S.time(9)) == moved)
      await #expect(throws: StoreError.notFound) { try await store.save(moved, at: S.time(10)) }
      let feed = try await store.changes(of: anna.id, after: .start, limit: 99).entries.filter {
        $0.kind == .expectedArrival
      }
      #expect(feed.map(\.isDeleted) == [true] && feed.map(\.id) == [first.id.rawValue])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `an account has a hundred at most`(form: StoreForm) async throws {
    try await form.withStore { store in
      let (anna, phone) = try await Self.make(store, "anna")
      for _ in 0..<ExpectedArrival.most {
        try await store.create(try Self.expected(of: anna, on: phone), at: S.time())
      }
      let further = try Self.expected(of: anna, on: phone)
      await #expect(throws: StoreError.tooMany(allowed: 100)) {
        try await store.create(further, at: S.time())
      }
      #expect(try await store.expectedArrivals(of: anna.id).count == 100)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a step counts only for the due time that was judged`(form: StoreForm) async throws {
    try await form.withStore { store in
      let (anna, phone) = try await Self.make(store, "anna")
      let first = try Self.expected(of: anna, on: phone)
      try await store.create(first, at: S.time())
      _ = try await store.record {
        $0.expectedArrivals = [ExpectedArrivalStep(first.due(at: S.time(1)), next: S.time(99))]
      }
      #expect(try await store.expectedArrival(first.id, of: anna.id).nextDue == S.time(3600))
      _ = try await store.record { $0.expectedArrivals = [ExpectedArrivalStep(first, next: S.time(90_000))] }
      #expect(try await store.expectedArrival(first.id, of: anna.id) == first.due(at: S.time(90_000)))
      try await store.move([ExpectedArrivalStep(first, next: S.time(5))], at: S.time(1))
      #expect(try await store.expectedArrival(first.id, of: anna.id).nextDue == S.time(90_000))
      try await Self.forgetDue(store)
      let again = ExpectedArrivalStep(first.due(at: S.time(90_000)), next: S.time(50_000))
      try await store.move([again], at: S.time(2))
      #expect(try await store.expectedArrival(first.id, of: anna.id).nextDue == S.time(50_000))
      #expect(try await store.nextDeviceDue() == S.time(2))
      #expect(try await store.expectedArrivals(dueAfter: S.time(49_999), after: nil, limit: 9).count == 1)
      #expect(try await store.expectedArrivals(dueAfter: S.time(50_000), after: nil, limit: 9).isEmpty)
      #expect(try await store.expectedArrivals(dueAfter: S.time(), after: first.id, limit: 9).isEmpty)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `it ends with its zone, its phone, private mode and the account`(form: StoreForm) async throws {
    try await form.withStore { store in
      let (anna, phone) = try await Self.make(store, "anna")
      let (bob, other) = try await Self.make(store, "bob")
      let kept = try Self.expected(of: bob, on: other)
      try await store.create(kept, at: S.time())
      try await store.create(try Self.expected(of: anna, on: phone), at: S.time())
      let version = try await Self.state(of: phone, store).version
      try await Self.forgetDue(store)
      try await store.deleteZone(Self.school, of: anna.id, over: nil, at: S.time(1))
      #expect(try await store.expectedArrivals(of: anna.id).isEmpty)
      let state = try await Self.state(of: phone, store)
      #expect(state.version > version && state.due == S.time(1))
      await #expect(throws: StoreError.notFound) {
        try await store.create(try Self.expected(of: anna, on: phone), at: S.time(2))
      }
      try await store.save(S.zone(2, "Home"), of: anna.id, in: nil, over: nil, at: S.time(3))
      try await store.create(
        try Self.expected(of: anna, on: phone, zone: ZoneID(rawValue: 2)), at: S.time(3))
      try await store.deleteDevice(phone.id, of: anna.id, at: S.time(4))
      #expect(try await store.expectedArrivals(of: anna.id).isEmpty)
      let watch = try await store.makeDevice("watch", of: anna)
      let third = try Self.expected(of: anna, on: watch, zone: ZoneID(rawValue: 2))
      try await store.create(third, at: S.time(5))
      try await store.setPrivate(true, anna.id, at: S.time(6))
      #expect(try await store.expectedArrivals(of: anna.id).isEmpty)
      await #expect(throws: StoreError.privateAccount) { try await store.create(third, at: S.time(7)) }
      try await store.setPrivate(false, anna.id, at: S.time(8))
      try await store.create(third, at: S.time(9))
      while try await !store.erase(anna.id, limit: 100) {}
      #expect(try await store.expectedArrivals(of: anna.id).isEmpty)
      #expect(try await store.expectedArrivals(of: bob.id) == [kept])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a phone that has never reported is due after its account was off, and if its due time was lost`(
    form: StoreForm
  ) async throws {
    try await form.withStore { store in
      let (anna, phone) = try await Self.make(store, "anna")
      try await store.create(try Self.expected(of: anna, on: phone), at: S.time())
      var account = try await store.account(anna.id)
      account.isDisabled = true
      account = try await store.save(account, over: account.revision, at: S.time(10))
      try await store.wakeExpectedArrivals(at: S.time(3600))
      #expect(try await store.nextDeviceDue() == nil)
      account.isDisabled = false
      _ = try await store.save(account, over: account.revision, at: S.time(20))
      #expect(try await store.nextDeviceDue() == S.time(20))
      try await Self.forgetDue(store)
      try await store.wakeExpectedArrivals(at: S.time(3599))
      #expect(try await store.nextDeviceDue() == nil)
      try await store.wakeExpectedArrivals(at: S.time(3600))
      #expect(try await store.nextDeviceDue() == S.time(3600))
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `its alarm is read back as it was written`(form: StoreForm) async throws {
    try await form.withStore { store in
      let (anna, phone) = try await Self.make(store, "anna")
      for seen in [S.time(7), nil] {
        let alarm = AlarmRecord(
          id: .init(rawValue: seen == nil ? 1 : 2), account: anna.id, device: phone.id,
          subject: .notArrived(
            .init(
              expected: .init(rawValue: .max), zone: Self.school, name: "School", minute: 480, seenAt: seen)),
          began: S.time(100), decidedAt: S.time(100), learnedAt: S.time(101), lastRangAt: S.time(101))
        _ = try await store.record { $0.alarms = [alarm] }
        #expect(try await store.alarm(alarm.id, of: anna.id) == alarm)
      }
    }
  }
}
