import AlarmEngine
import NIOConcurrencyHelpers
import Testing

@testable import Store
@testable import StoreTestSupport

@Suite("Contract: versions of engines")
struct VersionContract {
  typealias S = StoreSamples

  private static func version(_ device: DeviceID, _ store: SQLStore) async throws -> Int64 {
    try await store.deviceState(device, since: S.time()).version
  }

  @Test(arguments: StoreForm.allCases)
  func `a batch counts the versions up that it was decided from`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let (one, two) = (try await store.makeDevice("1", of: anna), try await store.makeDevice("2", of: anna))
      let other = try await store.makeDevice("3", of: anna)
      let start = try await Self.version(one.id, store)
      for count in 0..<3 as Range<Int64> {
        _ = try await store.record {
          $0.versions = [one.id: start + count, two.id: start + count]
          $0.fixes = [DeviceFixes(device: one.id, fixes: [S.fix(Double(count))])]
        }
      }
      #expect(try await Self.version(one.id, store) == start + 3)
      #expect(try await Self.version(two.id, store) == start + 3)
      #expect(try await Self.version(other.id, store) == start)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `of a batch that was decided from an older engine nothing is written`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let hook = try await store.makeChannel("hook", of: anna)
      let phones = try await [store.makeDevice("1", of: anna), store.makeDevice("2", of: anna)]
      let (old, current) = (phones[0].id, phones[1].id)
      let versions = [
        old: try await Self.version(old, store), current: try await Self.version(current, store),
      ]
      _ = try await store.record { $0.versions = [old: versions[old] ?? 0] }
      let cursor = try await store.cursor(of: anna.id)
      await #expect(throws: StoreError.conflict([old])) {
        _ = try await store.record {
          $0.versions = versions
          $0.fixes = [
            DeviceFixes(device: old, fixes: [S.fix(1)]), DeviceFixes(device: current, fixes: [S.fix(1)]),
          ]
          $0.alarms = [S.alarm(1, of: anna.id, current)]
          $0.outbox = [S.item(hook, alarm: 1)]
          $0.dues = [DeviceDue(device: current, at: S.time(1))]
          $0.commands = [DeviceCommand(device: current, at: S.time(1), kind: .activate, by: "anna")]
        }
      }
      #expect(try await Self.version(current, store) == versions[current])
      for device in [old, current] {
        let state = try await store.deviceState(device, since: S.time(-9))
        #expect(state.fixes.isEmpty && state.commands.isEmpty && state.openAlarms.isEmpty)
        #expect(state.device.lastReceivedAt == nil)
      }
      #expect(try await store.cursor(of: anna.id) == cursor)
      #expect(try await store.nextDue() == nil)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a device that is gone is left out, and makes no conflict`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let gone = try await store.makeDevice("1", of: anna)
      let here = try await store.makeDevice("2", of: anna)
      let version = try await Self.version(here.id, store)
      try await store.deleteDevice(gone.id, of: anna.id, at: S.time())
      let receipt = try await store.record {
        $0.versions = [gone.id: 0, here.id: version]
        $0.fixes = [gone.id, here.id].map { DeviceFixes(device: $0, fixes: [S.fix(1)]) }
      }
      #expect(receipt.newFixes == 1)
      #expect(try await Self.version(here.id, store) == version + 1)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `what changes a device otherwise makes engines in memory old, too`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phone = try await store.makeDevice("phone", of: anna)
      var last = try await Self.version(phone.id, store)
      func isCounted() async throws -> Bool {
        let version = try await Self.version(phone.id, store)
        defer { last = version }
        return version > last
      }
      _ = try await store.save(phone, over: .first, at: S.time())
      #expect(try await isCounted())
      try await store.clockSetBack(to: S.time(), by: .seconds(1))
      #expect(try await isCounted())
      let stranger = S.device("stranger", of: nil)
      try await store.create(stranger, identities: [])
      let unclaimed = try await Self.version(stranger.id, store)
      _ = try await store.claim(stranger.id, for: anna.id, token: nil, at: S.time())
      #expect(try await Self.version(stranger.id, store) > unclaimed)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `of two processes that decide at once each counts once, and none overwrites the other`(
    form: StoreForm
  ) async throws {
    try await form.withTwo { first, second in
      let anna = try await first.makeAccount("anna")
      var devices: [DeviceID] = []
      for name in ["1", "2", "3"] { devices.append(try await first.makeDevice(name, of: anna).id) }
      let all = devices
      let each = 40
      let conflicts = try await withThrowingTaskGroup(of: Int.self) { group in
        for (process, store) in [first, second].enumerated() {
          group.addTask {
            var conflicts = 0
            for step in 0..<each {
              while true {
                // In a different order in each process: the store sorts them.
                let states = try await store.deviceStates(all, since: S.time(-9))
                do {
                  _ = try await store.record(at: Double(step)) {
                    $0.versions = states.mapValues(\.version)
                    for state in states.values {
                      let count = Double(state.fixes.count)
                      $0.fixes.append(
                        DeviceFixes(
                          device: state.device.id, fixes: [S.fix(count, latitude: 46 + Double(process))]))
                    }
                  }
                  break
                } catch StoreError.conflict(let found) {
                  #expect(found == found.sorted() && !found.isEmpty && Set(found).isSubset(of: all))
                  conflicts += 1
                }
              }
            }
            return conflicts
          }
        }
        return try await group.reduce(0, +)
      }
      for device in all {
        let state = try await second.deviceState(device, since: S.time(-9))
        #expect(state.version == Int64(2 * each), "\(conflicts) conflicts")
        // Each fix is numbered by the fixes before it: no batch was decided from an older state.
        #expect(state.fixes.map(\.fix.measuredAt) == (0..<2 * each).map { S.time(Double($0)) })
      }
    }
  }

  private static let day = 86_400.0

  @Test(arguments: StoreForm.allCases)
  func `many devices are read at once as they are one by one`(form: StoreForm) async throws {
    try await form.withStore { store in
      let (anna, bob) = (try await store.makeAccount("anna"), try await store.makeAccount("bob"))
      var phones: [DeviceID] = []
      for number in 0..<9 {
        phones.append(try await store.makeDevice("\(number)", of: number % 3 == 0 ? bob : anna).id)
      }
      let stranger = S.device("stranger", of: nil)
      try await store.create(stranger, identities: [])
      let times = stride(from: 0, through: 3 * Self.day, by: Self.day / 2)
      _ = try await store.record {
        $0.fixes = phones.map { DeviceFixes(device: $0, fixes: times.map { S.fix($0) }) }
        $0.commands = phones.flatMap { phone in
          times.map { DeviceCommand(device: phone, at: S.time($0), kind: .activate, by: "anna") }
        }
        // Each was stored up to a different time; the first and the last never were.
        $0.snapshots = phones.indices.dropFirst().dropLast().map {
          DeviceSnapshot(
            device: phones[$0], through: S.time(Double($0) * Self.day / 3), zoneSet: .first,
            bytes: [UInt8($0)])
        }
        $0.alarms = phones.indices.filter { $0 % 2 == 0 }.flatMap { number in
          [2, 1].map {
            S.alarm(UInt64(number * 10 + $0), of: number % 3 == 0 ? bob.id : anna.id, phones[number])
          }
        }
        $0.versions = [phones[4]: 0]
      }
      let wanted = phones + [stranger.id, DeviceID(rawValue: 404), phones[0]]
      let states = try await store.deviceStates(wanted, since: S.time(Self.day))
      #expect(Set(states.keys) == Set(phones + [stranger.id]))
      for phone in phones + [stranger.id] {
        #expect(states[phone] == (try await store.deviceState(phone, since: S.time(Self.day))))
      }
      for (number, phone) in phones.enumerated() {
        let isStored = number > 0 && number < 8
        let from = isStored ? Double(number) * Self.day / 3 : Self.day
        let later = times.filter { $0 > from }.map { S.time($0) }
        #expect(states[phone]?.fixes.map(\.fix.measuredAt) == later)
        #expect(states[phone]?.commands.map(\.at) == later)
        #expect(states[phone]?.snapshot?.bytes == (isStored ? [UInt8(number)] : nil))
        #expect(states[phone]?.openAlarms.count == (number % 2 == 0 ? 2 : 0))
        #expect(states[phone]?.openAlarms.map(\.id) == states[phone]?.openAlarms.map(\.id).sorted())
        #expect(states[phone]?.version == (number == 4 ? 1 : 0))
      }
      #expect(states[stranger.id]?.zoneSet == nil && states[stranger.id]?.fixes == [])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `many devices are read, and counted, by as many statements as one`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      var phones: [DeviceID] = []
      for number in 0..<30 { phones.append(try await store.makeDevice("\(number)", of: anna).id) }
      _ = try await store.record {
        $0.fixes = phones.map { DeviceFixes(device: $0, fixes: [S.fix(1)]) }
      }
      let inner = store.database
      let heard = NIOLockedValueBox(0)
      let loud = SQLStore(HeardDatabase(inner: inner) { _, _ in heard.withLockedValue { $0 += 1 } })
      func statements(_ devices: ArraySlice<DeviceID>, _ version: Int64) async throws -> [Int] {
        heard.withLockedValue { $0 = 0 }
        _ = try await loud.deviceStates(Array(devices), since: S.time(-9))
        let read = heard.withLockedValue { $0 }
        _ = try await loud.record { batch in
          for device in devices { batch.versions[device] = version }
        }
        return [read, heard.withLockedValue { $0 } - read]
      }
      let one = try await statements(phones[..<1], 0)
      #expect(try await statements(phones[1...], 0) == one)
    }
  }
}
