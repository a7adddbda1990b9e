import AlarmEngine
import Testing

@testable import Store

@Suite("Contract: devices")
struct DeviceContract {
  typealias S = StoreSamples

  @Test(arguments: StoreForm.allCases)
  func `a device reads back as it was saved, for its account only`(form: StoreForm) async throws {
    try await form.withStore { store in
      let (anna, bob) = (try await store.makeAccount("anna"), try await store.makeAccount("bob"))
      var phone = try await store.makeDevice("phone", of: anna)
      #expect(try await store.device(phone.id, of: anna.id) == phone)
      await #expect(throws: StoreError.notFound) { try await store.device(phone.id, of: bob.id) }
      phone.isArmed = false
      phone.settings = "{\"maximumSpeed\":3}"
      phone.passphrase = "secret"
      phone.reportInterval = nil
      let saved = try await store.save(phone, over: .first, at: S.time(1))
      #expect(saved.revision == Revision(rawValue: 2))
      #expect(try await store.devices(of: anna.id) == [saved])
      await #expect(throws: StoreError.stale(stored: saved.revision)) {
        try await store.save(phone, over: .first, at: S.time(2))
      }
      #expect(try await store.devices(of: bob.id).isEmpty)
      await #expect(throws: StoreError.notFound) {
        try await store.deleteDevice(phone.id, of: bob.id, at: S.time(3))
      }
      try await store.deleteDevice(phone.id, of: anna.id, at: S.time(3))
      await #expect(throws: StoreError.notFound) { try await store.device(phone.id) }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a zero byte in a name is shown as what it is, and the name is found again`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let identity = DeviceIdentity(.ownTracks, "a\u{0}b/phone", of: anna.id)
      func find() async throws -> Device {
        try await store.device(
          identifiedBy: identity, makingOne: S.device("a\u{0}b", of: anna.id), unclaimedLimit: 2)
      }
      let made = try await find()
      #expect(try await find().id == made.id)
      #expect(try await store.device(made.id).name == "a\u{FFFD}b")
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `an unknown device is held as unclaimed, once, up to a limit, until claimed`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let (anna, bob) = (try await store.makeAccount("anna"), try await store.makeAccount("bob"))
      let identity = DeviceIdentity(.traccar, "12345678", of: nil)
      func find(_ identity: DeviceIdentity) async throws -> Device {
        try await store.device(
          identifiedBy: identity, makingOne: S.device("new", of: anna.id), unclaimedLimit: 2)
      }
      let device = try await find(identity)
      #expect(device.account == nil)
      #expect(try await find(identity) == device)
      _ = try await find(DeviceIdentity(.traccar, "2", of: nil))
      // A third replaces the one that was silent longest, which may come back.
      _ = try await store.record {
        $0.at = S.time(60)
        $0.fixes = [DeviceFixes(device: device.id, fixes: [])]
      }
      let third = try await find(DeviceIdentity(.traccar, "3", of: nil))
      #expect(Set(try await store.unclaimedDevices(limit: 9).map(\.id)) == [device.id, third.id])
      let claimed = try await store.claim(device.id, for: anna.id, token: nil, at: S.time(1))
      #expect(claimed.account == anna.id)
      await #expect(throws: StoreError.notFound) {
        try await store.claim(device.id, for: bob.id, token: nil, at: S.time(1))
      }
      #expect(try await find(identity) == claimed)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `claimed with a token a device's names need proof, and its last fix begins its history`(
    form: StoreForm
  )
    async throws
  {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let open = DeviceIdentity(.ownTracks, "me/phone", of: nil)
      #expect(try await store.find(open) == .unknown)
      let device = try await store.device(
        identifiedBy: open, makingOne: S.device("new", of: nil), unclaimedLimit: 2)
      #expect(try await store.find(open) == .device(device))
      let receipt = try await store.record {
        $0.fixes = [DeviceFixes(device: device.id, fixes: [S.fix(1), S.fix(3), S.fix(2)])]
        $0.rawBodies = (0..<9).map { _ in
          RawBody(
            device: device.id, receivedAt: S.time(), source: "", reason: "",
            body: [UInt8](repeating: 65, count: RawBody.keptBytesUnclaimed + 1))
        }
      }
      #expect(receipt.newFixes == 0)
      let bodies = try await store.rawBodies(of: device.id, limit: 99)
      #expect(bodies.count == RawBody.keptForUnclaimed)
      #expect(bodies[0].body.count == RawBody.keptBytesUnclaimed)
      #expect(bodies[0].size == RawBody.keptBytesUnclaimed + 1)
      let token = DeviceToken(
        account: anna.id, device: device.id, hash: S.hash(1), name: "", createdAt: S.time())
      let foreign = DeviceToken(account: anna.id, device: nil, hash: S.hash(2), name: "", createdAt: S.time())
      await #expect(throws: StoreError.notFound) {
        try await store.claim(device.id, for: anna.id, token: foreign, at: S.time(4))
      }
      let claimed = try await store.claim(device.id, for: anna.id, token: token, at: S.time(4))
      #expect(claimed.account == anna.id && claimed.lastFix == S.fix(3).fix)
      #expect(try await store.token(S.hash(1), at: S.time(5)) == token)
      #expect(try await store.find(open) == .needsProof)
      let own = DeviceIdentity(.ownTracks, "me/phone", of: anna.id)
      #expect(try await store.identities(of: device.id) == [own])
      #expect(try await store.find(own) == .device(claimed))
      let fixes = try await store.fixes(
        of: device.id, account: anna.id, in: IngestContract.always, limit: 9)
      #expect(fixes.map(\.fix) == [S.fix(3).fix])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `what a phone told reads back, and an alarm about it`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phone = try await store.makeDevice("phone", of: anna)
      #expect(phone.status == DeviceStatus())
      var status = DeviceStatus()
      status.battery = 0.25
      status.isCharging = false
      status.motion = ["walking", "running"]
      status.altitude = .metres(-3)
      status.toldAt = S.time(1)
      status.lowBatterySince = S.time(2)
      status.unreadSince = S.time(3)
      status.unread = .wrongKey
      status.malformed = .init(count: 2, since: S.time(4), reason: "latitude 95 found")
      for wanted in [status, DeviceStatus()] {
        _ = try await store.record { $0.statuses = [phone.id: wanted, DeviceID(rawValue: 404): wanted] }
        #expect(try await store.device(phone.id).status == wanted)
        #expect(try await store.devices(of: anna.id).map(\.status) == [wanted])
        #expect(try await store.deviceState(phone.id, since: S.time()).device.status == wanted)
      }
      let subjects: [AlarmRecord.Subject] = [
        .lowBattery(level: 0.09), .distress, .unreadable(.noKey), .unreadable(.wrongKey),
        .unreadable(.malformed),
      ]
      for (number, subject) in subjects.enumerated() {
        var alarm = S.alarm(UInt64(number + 1), of: anna.id, phone.id)
        alarm.subject = subject
        let made = alarm
        _ = try await store.record { $0.alarms = [made] }
        #expect(try await store.alarm(alarm.id) == alarm)
      }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `what is not heard of leaves the time of the last report`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phone = try await store.makeDevice("phone", of: anna)
      _ = try await store.record { $0.fixes = [DeviceFixes(device: phone.id, fixes: [], isHeard: false)] }
      #expect(try await store.device(phone.id).lastReceivedAt == nil)
      _ = try await store.record { $0.fixes = [DeviceFixes(device: phone.id, fixes: [])] }
      #expect(try await store.device(phone.id).lastReceivedAt != nil)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `one name in two accounts is two devices`(form: StoreForm) async throws {
    try await form.withStore { store in
      let (anna, bob) = (try await store.makeAccount("anna"), try await store.makeAccount("bob"))
      var found: [Device] = []
      for account in [anna.id, bob.id, anna.id] {
        found.append(
          try await store.device(
            identifiedBy: DeviceIdentity(.ownTracks, "me/phone", of: account),
            makingOne: S.device("phone", of: nil), unclaimedLimit: 0))
      }
      #expect(found[0] == found[2] && found[0].id != found[1].id)
      #expect(found.map(\.account) == [anna.id, bob.id, anna.id])
      let identities = try await store.identities(of: found[0].id)
      #expect(identities == [DeviceIdentity(.ownTracks, "me/phone", of: anna.id)])
      await #expect(throws: StoreError.taken) {
        try await store.add(identities[0], to: found[0].id, of: anna.id)
      }
      await #expect(throws: StoreError.notFound) { try await store.remove(identities[0], of: bob.id) }
      try await store.remove(identities[0], of: anna.id)
      #expect(try await store.identities(of: found[0].id).isEmpty)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `tokens let in until they expire or are revoked`(form: StoreForm) async throws {
    try await form.withStore { store in
      let (anna, bob) = (try await store.makeAccount("anna"), try await store.makeAccount("bob"))
      let phone = try await store.makeDevice("phone", of: anna)
      let token = DeviceToken(
        account: anna.id, device: phone.id, hash: S.hash(7), name: "OwnTracks", createdAt: S.time(),
        expiresAt: S.time(10))
      try await store.create(token)
      await #expect(throws: StoreError.notFound) {
        try await store.create(
          DeviceToken(
            account: bob.id, device: phone.id, hash: S.hash(8), name: "", createdAt: S.time()))
      }
      #expect(try await store.token(S.hash(7), at: S.time(9)) == token)
      await #expect(throws: StoreError.notFound) { try await store.token(S.hash(7), at: S.time(10)) }
      try await store.touch(token.id, at: S.time(5))
      #expect(try await store.tokens(of: anna.id).map(\.lastUsedAt) == [S.time(5)])
      await #expect(throws: StoreError.notFound) { try await store.revoke(token.id, of: bob.id) }
      try await store.revoke(token.id, of: anna.id)
      await #expect(throws: StoreError.notFound) { try await store.token(S.hash(7), at: S.time(1)) }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `the tracked devices of an account are those with letters and a place`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let walker = try await store.makeDevice("walker", of: anna)
      let tablet = try await store.makeDevice("tablet", of: anna)
      _ = try await store.makeDevice("never out", of: anna)
      let bare = Device(account: anna.id, name: "bare", createdAt: S.time())
      try await store.create(bare, identities: [])
      _ = try await store.record {
        $0.fixes = [walker, tablet, bare].map { DeviceFixes(device: $0.id, fixes: [S.fix(1)]) }
      }
      #expect(try await store.trackedDevices(of: anna.id, limit: 9).map(\.name) == ["tablet", "walker"])
      #expect(try await store.trackedDevices(of: anna.id, limit: 1).map(\.name) == ["tablet"])
    }
  }
}
