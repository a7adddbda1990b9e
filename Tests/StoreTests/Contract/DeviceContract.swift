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
      await #expect(throws: StoreError.tooMany(allowed: 2)) {
        try await find(DeviceIdentity(.traccar, "3", of: nil))
      }
      #expect(try await store.unclaimedDevices(limit: 9).count == 2)
      let claimed = try await store.claim(device.id, for: anna.id, at: S.time(1))
      #expect(claimed.account == anna.id)
      await #expect(throws: StoreError.notFound) {
        try await store.claim(device.id, for: bob.id, at: S.time(1))
      }
      #expect(try await find(identity) == claimed)
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
