import AlarmEngine
import Testing

@testable import Store

@Suite("Contract: what is due")
struct DueContract {
  typealias S = StoreSamples

  private func plain(_ name: String, of account: Account, _ store: any ServerStore) async throws -> Device {
    let device = Device(account: account.id, name: name, createdAt: S.time())
    try await store.create(device, identities: [])
    return device
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
        try await store.devicesDue(of: nil, through: S.time(20), limit: 9) == [two.id, other.id, one.id])
      #expect(try await store.devicesDue(of: nil, through: S.time(20), limit: 2) == [two.id, other.id])
      #expect(try await store.devicesDue(of: anna.id, through: S.time(20), limit: 9) == [two.id, one.id])
      #expect(try await store.deviceState(one.id, since: S.time()).due == S.time(20))
      _ = try await store.record {
        $0.dues = [DeviceDue(device: two.id, at: S.time(30)), DeviceDue(device: other.id, at: nil)]
      }
      #expect(try await store.devicesDue(of: nil, through: S.time(99), limit: 9) == [one.id, two.id])
      try await store.deleteDevice(one.id, of: anna.id, at: S.time())
      #expect(try await store.devicesDue(of: nil, through: S.time(99), limit: 9) == [two.id])
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
      _ = try await store.record {
        $0.snapshots = [near, follower].map {
          DeviceSnapshot(device: $0.id, through: S.time(), zoneSet: .first, bytes: [1])
        }
        $0.dues = [DeviceDue(device: near.id, at: S.time(5))]
      }
      try await store.save(S.zone(1), of: anna.id, in: nil, over: nil, at: S.time(10))
      #expect(try await store.devicesDue(of: nil, through: S.time(99), limit: 9) == [near.id])
      #expect(try await store.nextDeviceDue() == S.time(5))
      try await store.save(S.zone(2), of: anna.id, in: collection.id, over: nil, at: S.time(20))
      #expect(try await store.devicesDue(of: bob.id, through: S.time(20), limit: 9) == [follower.id])
      var silent = try await store.device(never.id)
      silent.reportInterval = .minutes(5)
      try await store.save(silent, over: .first, at: S.time(30))
      #expect(try await store.devicesDue(of: anna.id, through: S.time(30), limit: 9) == [near.id, never.id])
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
      #expect(try await store.devicesDue(of: nil, through: S.time(50), limit: 9) == [phone.id])
    }
  }
}
