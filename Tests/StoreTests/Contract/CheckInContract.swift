import AlarmEngine
import Testing

@testable import Store

@Suite("Contract: check-ins")
struct CheckInContract {
  typealias S = StoreSamples

  private static func checkIn(
    of account: Account, on device: Device, phone: Device? = nil, set: Double = 0, due: Double = 3600,
    isSpan: Bool = false
  ) -> CheckIn {
    CheckIn(
      account: account.id, device: device.id, phone: phone?.id, note: "north face", setAt: S.time(set),
      dueAt: S.time(due), isSpan: isSpan)
  }

  private static func state(of device: Device, _ store: SQLStore) async throws -> DeviceState {
    try await store.deviceState(device.id, since: S.time())
  }

  @Test(arguments: StoreForm.allCases)
  func `one of an account is set, set anew and ended, and its device is due each time`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let (anna, bob) = (try await store.makeAccount("anna"), try await store.makeAccount("bob"))
      let (device, phone) = (
        try await store.makeDevice("anna", of: anna), try await store.makeDevice("phone", of: anna)
      )
      let other = try await store.makeDevice("bob", of: bob)
      #expect(try await store.checkIn(of: anna.id) == nil)
      let first = Self.checkIn(of: anna, on: device, phone: phone)
      var version = try await Self.state(of: device, store).version
      try await store.set(first, at: S.time())
      #expect(try await store.checkIn(of: anna.id) == first)
      #expect(try await store.checkIn(of: bob.id) == nil)
      var state = try await Self.state(of: device, store)
      #expect(state.checkIn == first && state.version > version && state.due == S.time())
      #expect(try await Self.state(of: phone, store).checkIn == nil)
      version = state.version
      let second = Self.checkIn(of: anna, on: device, set: 60, due: 7200)
      try await store.set(second, at: S.time(60))
      state = try await Self.state(of: device, store)
      #expect(state.checkIn == second && state.version > version)
      version = state.version
      #expect(try await store.endCheckIn(of: anna.id, at: S.time(70)) == second)
      #expect(try await store.endCheckIn(of: anna.id, at: S.time(71)) == nil)
      state = try await Self.state(of: device, store)
      #expect(state.checkIn == nil && state.version > version)
      let feed = try await store.changes(of: anna.id, after: .start, limit: 99).entries.filter {
        $0.kind == .checkIn
      }
      #expect(feed.map(\.isDeleted) == [true] && feed.map(\.id) == [anna.id.rawValue])
      for foreign in [Self.checkIn(of: anna, on: other), Self.checkIn(of: anna, on: device, phone: other)] {
        await #expect(throws: StoreError.notFound) { try await store.set(foreign, at: S.time(80)) }
      }
      #expect(try await store.checkIn(of: anna.id) == nil)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a step is noted for the check-in that it was decided for, and for no later one`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let device = try await store.makeDevice("anna", of: anna)
      let first = Self.checkIn(of: anna, on: device)
      try await store.set(first, at: S.time())
      _ = try await store.record { $0.checkIns = [CheckInStep(.reminded, of: first, at: S.time(3000))] }
      #expect(try await store.checkIn(of: anna.id)?.isReminded == true)
      _ = try await store.record { $0.checkIns = [CheckInStep(.missed, of: first, at: S.time(3601))] }
      #expect(try await store.checkIn(of: anna.id)?.missedAt == S.time(3601))
      let prolonged = try #require(
        try await store.prolongCheckIn(of: anna.id, by: .minutes(30), at: S.time(4000)))
      #expect(prolonged.dueAt == S.time(5800) && prolonged.missedAt == nil && !prolonged.isReminded)
      #expect(prolonged.alarm != first.alarm && prolonged.note == first.note)
      _ = try await store.record { $0.checkIns = [CheckInStep(.missed, of: first, at: S.time(4001))] }
      #expect(try await store.checkIn(of: anna.id) == prolonged)
      let far = try await store.prolongCheckIn(of: anna.id, by: .hours(7 * 24), at: S.time(4000))
      #expect(far?.dueAt == S.time(4000) + CheckIn.ahead.upperBound)
      _ = try await store.endCheckIn(of: anna.id, at: S.time(4002))
      #expect(try await store.prolongCheckIn(of: anna.id, by: .minutes(30), at: S.time(4003)) == nil)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `it is not lost with its device or by private mode, and goes with the account`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let (device, phone) = (
        try await store.makeDevice("anna", of: anna), try await store.makeDevice("phone", of: anna)
      )
      let checkIn = Self.checkIn(of: anna, on: device, phone: phone)
      try await store.set(checkIn, at: S.time())
      await #expect(throws: StoreError.checkInRuns) {
        try await store.deleteDevice(device.id, of: anna.id, at: S.time(1))
      }
      await #expect(throws: StoreError.checkInRuns) {
        try await store.setPrivate(true, anna.id, at: S.time(1))
      }
      // The phone may go: another phone's place is told then.
      try await store.deleteDevice(phone.id, of: anna.id, at: S.time(2))
      #expect(try await store.checkIn(of: anna.id)?.phone == nil)
      _ = try await store.endCheckIn(of: anna.id, at: S.time(3))
      try await store.setPrivate(true, anna.id, at: S.time(4))
      await #expect(throws: StoreError.privateAccount) { try await store.set(checkIn, at: S.time(5)) }
      try await store.setPrivate(false, anna.id, at: S.time(6))
      try await store.set(Self.checkIn(of: anna, on: device), at: S.time(7))
      while try await !store.erase(anna.id, limit: 100) {}
      #expect(try await store.checkIn(of: anna.id) == nil)
      #expect(try await store.nextDeviceDue() == nil)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a device with nothing but a check-in is due after its account was off`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let device = Device(account: anna.id, name: "anna", createdAt: S.time())
      try await store.create(device, identities: [])
      try await store.set(Self.checkIn(of: anna, on: device), at: S.time())
      var account = try await store.account(anna.id)
      account.isDisabled = true
      account = try await store.save(account, over: account.revision, at: S.time(10))
      #expect(try await store.nextDeviceDue() == nil)
      account.isDisabled = false
      _ = try await store.save(account, over: account.revision, at: S.time(20))
      #expect(try await store.nextDeviceDue() == S.time(20))
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `one that is over is due again if a process of an earlier version took the due time`(
    form: StoreForm
  ) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let device = Device(account: anna.id, name: "anna", createdAt: S.time())
      try await store.create(device, identities: [])
      try await store.set(Self.checkIn(of: anna, on: device), at: S.time())
      for due in try await store.devicesDue(of: nil, through: S.time(), limit: 9) {
        _ = try await store.record { $0.dues = [DeviceDue(device: device.id, at: nil, seen: due.mark)] }
      }
      try await store.wakeMissedCheckIns(at: S.time(3599))
      #expect(try await store.nextDeviceDue() == nil)
      try await store.wakeMissedCheckIns(at: S.time(3600))
      #expect(try await store.nextDeviceDue() == S.time(3600))
      let mark = try await store.devicesDue(of: nil, through: S.time(3600), limit: 9).map(\.mark)
      try await store.wakeMissedCheckIns(at: S.time(3605))
      #expect(try await store.devicesDue(of: nil, through: S.time(3605), limit: 9).map(\.mark) == mark)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `after the clock was set back a length stays a length, and a time of day a time of day`(
    form: StoreForm
  ) async throws {
    try await form.withStore { store in
      let names = ["length", "time", "earlier", "missed"]
      var accounts: [Account] = []
      for name in names {
        let account = try await store.makeAccount(name)
        let device = try await store.makeDevice(name, of: account)
        let set: Double = name == "earlier" ? 0 : 10_000
        try await store.set(
          Self.checkIn(of: account, on: device, set: set, due: 13_600, isSpan: name != "time"),
          at: S.time(set))
        accounts.append(account)
      }
      let missed = try #require(try await store.checkIn(of: accounts[3].id))
      _ = try await store.record { $0.checkIns = [CheckInStep(.missed, of: missed, at: S.time(13_700))] }
      try await store.clockSetBack(to: S.time(9000), by: .seconds(5000))
      var found: [CheckIn?] = []
      for account in accounts { found.append(try await store.checkIn(of: account.id)) }
      #expect(found.map { $0?.dueAt } == [S.time(9000), S.time(13_600), S.time(13_600), S.time(9000)])
      #expect(found.map { $0?.setAt } == [S.time(5000), S.time(5000), S.time(0), S.time(5000)])
      #expect(found.map { $0?.missedAt } == [nil, nil, nil, S.time(9000)])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `the last place is that of the phone, or of the phone that was located last`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let (anna, bob) = (try await store.makeAccount("anna"), try await store.makeAccount("bob"))
      let (one, two) = (
        try await store.makeDevice("one", of: anna), try await store.makeDevice("two", of: anna)
      )
      let (silent, foreign) = (
        try await store.makeDevice("silent", of: anna), try await store.makeDevice("b", of: bob)
      )
      #expect(try await store.lastPlace(of: anna.id, phone: nil) == nil)
      for (device, seconds) in [(one, 50.0), (two, 20), (foreign, 90)] {
        _ = try await store.record {
          $0.fixes = [DeviceFixes(device: device.id, fixes: [S.fix(seconds, latitude: 46 + seconds / 1000)])]
        }
      }
      #expect(try await store.lastPlace(of: anna.id, phone: nil)?.measuredAt == S.time(50))
      let chosen = try await store.lastPlace(of: anna.id, phone: two.id)
      #expect(chosen?.measuredAt == S.time(20))
      #expect(chosen?.position.latitude.degrees == 46.02)
      #expect(try await store.lastPlace(of: anna.id, phone: silent.id) == nil)
      #expect(try await store.lastPlace(of: anna.id, phone: foreign.id) == nil)
    }
  }

  @Test func `only a long check-in has a reminder, ten minutes before its end and once`() {
    let anna = S.account("anna")
    func due(_ minutes: Double, isReminded: Bool = false, missed: Double? = nil) -> [Instant?] {
      let checkIn = CheckIn(
        account: anna.id, device: .random(), setAt: S.time(), dueAt: S.time(minutes * 60),
        isReminded: isReminded,
        missedAt: missed.map { S.time($0 * 60) })
      return [checkIn.reminderDue, checkIn.nextDue]
    }
    #expect(due(14) == [nil, S.time(840)])
    #expect(due(15) == [S.time(300), S.time(300)])
    #expect(due(60, isReminded: true) == [nil, S.time(3600)])
    #expect(due(60, missed: 60) == [nil, nil])
  }
}
