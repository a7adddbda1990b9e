import AlarmEngine
import Geometry
import TestSupport
import Testing

@testable import Store

@Suite("Contract: companion alarms")
struct CompanionContract {
  typealias S = StoreSamples

  /// Ben watches Anna's phone with his own.
  private struct Pair {
    let store: SQLStore
    let anna: Account
    let ben: Account
    let carl: Account
    let phone: Device
    let bens: Device
    let share: Share

    init(_ store: SQLStore) async throws {
      self.store = store
      anna = try await store.makeAccount("anna")
      ben = try await store.makeAccount("ben")
      carl = try await store.makeAccount("carl")
      phone = try await store.makeDevice("phone", of: anna)
      bens = try await store.makeDevice("bens", of: ben)
      share = Share(
        owner: anna.id, device: phone.id, receiver: .person(login: "ben", until: S.time(1000)), name: "",
        precision: .place, createdAt: S.time())
      try await store.create(share)
    }

    func companion(
      of account: Account? = nil, on device: Device? = nil, at seconds: Double = 10
    ) throws -> Companion {
      let rules = try CompanionRules(
        companion: .random(), device: (device ?? bens).id, trigger: .within, distance: .metres(500.5),
        assurance: .safety, horizon: .minutes(20))
      return Companion(
        rules, account: (account ?? ben).id, target: phone.id, name: "Anna", createdAt: S.time(seconds))
    }

    func sights(at seconds: Double = 20) async throws -> [CompanionSight] {
      try await store.companionSights(of: bens.id, at: S.time(seconds))
    }

    /// The mark under which Ben's device is due; nil if it is not due.
    func due(at seconds: Double = 2000) async throws -> DueMark? {
      try await store.devicesDue(of: ben.id, through: S.time(seconds), limit: 9).first {
        $0.device == bens.id
      }?
      .mark
    }

    /// Clears the due time of Ben's device, as after a look.
    func look() async throws {
      guard let mark = try await due() else { return }
      let device = bens.id
      _ = try await store.record { $0.dues = [DeviceDue(device: device, at: nil, seen: mark)] }
      #expect(try await due() == nil)
    }

    func versions() async throws -> [Int64] {
      let states = try await store.deviceStates([phone.id, bens.id], since: S.time())
      return [phone.id, bens.id].map { states[$0]?.version ?? -1 }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `only who sees the place may set one, and the owner sees it`(form: StoreForm) async throws {
    try await form.withStore { store in
      let pair = try await Pair(store)
      let companion = try pair.companion()
      await #expect(throws: StoreError.notFound) { try await store.create(companion) }
      try await store.accept(pair.share.id, by: pair.ben.id, at: S.time(1))
      let before = try await pair.versions()
      try await store.create(companion)
      #expect(try await store.companions(of: pair.ben.id) == [companion])
      #expect(try await store.companions(of: pair.anna.id).isEmpty)
      let about = try await store.companions(about: pair.anna.id)
      #expect(about.map(\.companion) == [companion] && about.map(\.watcherLogin) == ["ben"])
      #expect(try await store.companions(about: pair.ben.id).isEmpty)
      // Each process has to read the devices again, and the companion is judged at once.
      #expect(try await pair.versions() == before.map { $0 + 1 })
      #expect(try await pair.due() != nil)
      let states = try await store.deviceStates([pair.phone.id, pair.bens.id], since: S.time())
      #expect(states[pair.bens.id].map { [$0.hasCompanions, $0.isCompanion] } == [true, false])
      #expect(states[pair.phone.id].map { [$0.hasCompanions, $0.isCompanion] } == [false, true])
      // Fails for a device of another account, an account without a share, and the device itself.
      let carls = try await store.makeDevice("carls", of: pair.carl)
      for other in [
        try pair.companion(of: pair.carl, on: carls), try pair.companion(of: pair.ben, on: carls),
        try pair.companion(of: pair.anna, on: pair.phone),
      ] {
        await #expect(throws: StoreError.notFound) { try await store.create(other) }
      }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `its account changes it, and another distance begins anew`(form: StoreForm) async throws {
    try await form.withStore { store in
      let pair = try await Pair(store)
      try await store.accept(pair.share.id, by: pair.ben.id, at: S.time(1))
      let companion = try pair.companion()
      try await store.create(companion)
      _ = try await store.record {
        $0.companions = [CompanionUpdate(id: companion.id, begins: companion.begins, snapshot: [1, 2])]
      }
      func edit(_ name: String, _ metres: Double, by account: Account? = nil) async throws -> Companion {
        try await store.edit(
          try CompanionRules(
            companion: companion.id, device: companion.device, trigger: .within, distance: .metres(metres),
            assurance: .safety, horizon: .minutes(30)), name: name, of: (account ?? pair.ben).id,
          at: S.time(30))
      }
      for stranger in [pair.anna, pair.carl] {
        await #expect(throws: StoreError.notFound) { _ = try await edit("x", 100, by: stranger) }
      }
      try await pair.look()
      let before = try await pair.versions()
      let named = try await edit("Anna at last", 500.5)
      #expect(named.name == "Anna at last" && named.rules.horizon == .minutes(30))
      #expect(named.snapshot == [1, 2] && named.begins == companion.begins, "it goes on")
      #expect(try await pair.versions() == before.map { $0 + 1 })
      #expect(try await pair.due() != nil, "it is judged at once")
      let nearer = try await edit("Anna at last", 100)
      #expect(nearer.rules.distance == .metres(100) && nearer.snapshot == nil && nearer.begins == S.time(30))
      #expect(try await store.companions(of: pair.ben.id) == [nearer])
      #expect(try await store.companions(about: pair.anna.id).map(\.companion) == [nearer])
      // A paused companion stays paused, and an ended one is not changed.
      _ = try await store.record {
        $0.companions = [CompanionUpdate(id: companion.id, begins: nil, snapshot: nil)]
      }
      #expect(try await edit("Anna", 200).begins == nil)
      try await store.end(companion.id, by: pair.anna.id, at: S.time(40))
      await #expect(throws: StoreError.notFound) { _ = try await edit("Anna", 300) }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `own phones may be watched without a share, and their number is bounded`(form: StoreForm) async throws
  {
    try await form.withStore { store in
      let pair = try await Pair(store)
      let tablet = try await store.makeDevice("tablet", of: pair.anna)
      for _ in 0..<Companion.most { try await store.create(try pair.companion(of: pair.anna, on: tablet)) }
      await #expect(throws: StoreError.tooMany(allowed: Companion.most)) {
        try await store.create(try pair.companion(of: pair.anna, on: tablet))
      }
      let sights = try await store.companionSights(of: tablet.id, at: S.time(20))
      #expect(sights.count == Companion.most && sights.allSatisfy { $0.isAllowed && $0.allowedUntil == nil })
      #expect(try await store.companions(about: pair.anna.id).isEmpty)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `what it rests on is told, and each end of it makes the watcher due`(form: StoreForm) async throws {
    try await form.withStore { store in
      let pair = try await Pair(store)
      try await store.accept(pair.share.id, by: pair.ben.id, at: S.time(1))
      let companion = try pair.companion()
      try await store.create(companion)
      var sight = try #require(try await pair.sights().first)
      #expect(sight.companion == companion && sight.isAllowed && sight.owner == pair.anna.id)
      #expect(sight.allowedUntil == S.time(1000))
      #expect(try await pair.sights(at: 1000).map(\.isAllowed) == [false])
      // The share shows less, then as much again; then it ends where the phone arrives.
      for (precision, zone, isAllowed) in [
        (Share.Precision.zones, nil as ZoneID?, false), (.place, nil, true),
        (.place, ZoneID(rawValue: 5), false), (.place, nil, true),
      ] {
        try await pair.look()
        var share = pair.share
        share.precision = precision
        share.endsIn = zone
        try await store.save(share, at: S.time(15))
        #expect(try await pair.due() != nil)
        #expect(try await pair.sights().map(\.isAllowed) == [isAllowed])
      }
      try await pair.look()
      var anna = try await store.account(pair.anna.id)
      anna.isDisabled = true
      anna = try await store.save(anna, over: anna.revision, at: S.time(16))
      #expect(try await pair.due() != nil)
      #expect(try await pair.sights().map(\.isAllowed) == [false])
      anna.isDisabled = false
      try await store.save(anna, over: anna.revision, at: S.time(17))
      try await pair.look()
      try await store.end(pair.share.id, by: pair.anna.id, at: S.time(18))
      #expect(try await pair.due() != nil)
      sight = try #require(try await pair.sights().first)
      #expect(!sight.isAllowed)
      try await pair.look()
      try await store.deleteDevice(pair.phone.id, of: pair.anna.id, at: S.time(19))
      #expect(try await pair.due() != nil)
      sight = try #require(try await pair.sights().first)
      #expect(sight.companion.target == nil && sight.owner == nil && !sight.isAllowed)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `the watcher deletes it, the target's owner refuses it, nobody else does either`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let pair = try await Pair(store)
      try await store.accept(pair.share.id, by: pair.ben.id, at: S.time(1))
      let (first, second) = (try pair.companion(), try pair.companion(at: 11))
      try await store.create(first)
      try await store.create(second)
      await #expect(throws: StoreError.notFound) {
        try await store.end(first.id, by: pair.carl.id, at: S.time(12))
      }
      try await pair.look()
      #expect(try await store.end(first.id, by: pair.anna.id, at: S.time(12)).isRefused)
      #expect(try await pair.due() != nil)
      await #expect(throws: StoreError.notFound) {
        try await store.end(first.id, by: pair.anna.id, at: S.time(12))
      }
      #expect(try await store.companions(about: pair.anna.id).map(\.companion.id) == [second.id])
      #expect(try await store.companions(of: pair.ben.id).map(\.end) == [nil, .refused])
      let refused = try #require(try await pair.sights().first { $0.companion.id == first.id })
      #expect(refused.companion.end == .refused && refused.companion.endedAt == nil)
      // The watcher was notified.
      _ = try await store.record(at: 30) {
        $0.companions = [CompanionUpdate(id: first.id, begins: S.time(10), snapshot: nil, end: .refused)]
      }
      #expect(try await pair.sights().map(\.companion.id) == [second.id])
      #expect(try await store.companions(of: pair.ben.id).map(\.endedAt) == [nil, S.time(30)])
      for companion in [first, second] {
        #expect(try await !store.end(companion.id, by: pair.ben.id, at: S.time(31)).isRefused)
      }
      #expect(try await store.companions(of: pair.ben.id).isEmpty)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a position of either device makes the watcher due, under a new mark, and others nothing`(
    form: StoreForm
  ) async throws {
    try await form.withStore { store in
      let pair = try await Pair(store)
      try await store.accept(pair.share.id, by: pair.ben.id, at: S.time(1))
      let companion = try pair.companion()
      try await store.create(companion)
      let stranger = try await store.makeDevice("other", of: pair.carl)
      let phone = pair.phone.id
      _ = try await store.record(at: 39) { $0.fixes = [DeviceFixes(device: phone, fixes: [S.fix(38)])] }
      for (device, owner, last) in [
        (pair.bens.id, pair.anna.id, S.fix(38).fix.position), (pair.phone.id, pair.ben.id, nil),
      ] {
        let found = try await store.companionNeighbours(of: device)
        #expect(found.map(\.owner) == [owner] && found.map(\.rules.distance) == [.metres(500.5)])
        #expect(found.map { $0.lastFix?.position } == [last])
      }
      #expect(try await store.companionNeighbours(of: stranger.id).isEmpty)
      for moved in [pair.phone.id, pair.bens.id] {
        try await pair.look()
        _ = try await store.record(at: 40) { $0.companionsMoved = [moved] }
        let mark = try #require(try await pair.due())
        _ = try await store.record(at: 41) { $0.companionsMoved = [moved] }
        // The mark that was read before does not clear the due time.
        _ = try await store.record(at: 42) {
          $0.dues = [DeviceDue(device: pair.bens.id, at: nil, seen: mark)]
        }
        #expect(try await pair.due() != nil)
      }
      try await pair.look()
      _ = try await store.record(at: 43) { $0.companionsMoved = [stranger.id] }
      #expect(try await pair.due() == nil)
      // The result of judging is kept.
      _ = try await store.record(at: 44) {
        $0.companions = [CompanionUpdate(id: companion.id, begins: nil, snapshot: [1, 2, 3])]
      }
      let kept = try #require(try await pair.sights().first?.companion)
      #expect(kept.snapshot == [1, 2, 3] && kept.begins == nil && kept.end == nil)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a stored distance that is not allowed counts as the nearest that is`(form: StoreForm) async throws {
    try await form.withStore { store in
      let pair = try await Pair(store)
      try await store.accept(pair.share.id, by: pair.ben.id, at: S.time(1))
      let (odd, sound) = (try pair.companion(at: 10), try pair.companion(at: 9))
      for companion in [odd, sound] { try await store.create(companion) }
      for (metres, milliseconds, distance, horizon) in [
        (-5, -1, Distance.metres(10), TimeSpan.minutes(2)),
        (1e300, .max, .metres(1_000_000), .hours(24)),
        (.infinity, 0, .metres(1_000_000), .minutes(2)),
      ] as [(Double, Int64, Distance, TimeSpan)] {
        try await store.write { database in
          _ = try database.run(
            "UPDATE companion SET distance = ?, horizon = ? WHERE id = ?", [metres, milliseconds, odd.id.sql])
        }
        let read = try await store.companions(of: pair.ben.id).map(\.rules)
        #expect(read.map(\.distance) == [distance, .metres(500.5)])
        #expect(read.map(\.horizon) == [horizon, .minutes(20)])
        #expect(try await pair.sights().count == 2)
        let neighbours = try await store.companionNeighbours(of: pair.bens.id)
        #expect(Set(neighbours.map(\.rules.distance)) == [distance, .metres(500.5)])
      }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `an alarm about two is read back as it was`(form: StoreForm) async throws {
    try await form.withStore { store in
      let pair = try await Pair(store)
      for (number, news) in AlarmRecord.CompanionNews.allCases.enumerated() {
        var alarm = S.alarm(UInt64(number + 70), of: pair.ben.id, pair.bens.id)
        alarm.subject = .companion(CompanionID(rawValue: 0xfeed_0000_0000_0001), name: "Anna ⚓︎", news)
        let stored = alarm
        _ = try await store.record { $0.alarms = [stored] }
        #expect(try await store.alarm(alarm.id, of: pair.ben.id) == alarm)
      }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a private account neither watches nor is watched, and who is erased is gone`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let pair = try await Pair(store)
      try await store.accept(pair.share.id, by: pair.ben.id, at: S.time(1))
      try await store.create(try pair.companion())
      try await pair.look()
      try await store.setPrivate(true, pair.anna.id, at: S.time(20))
      #expect(try await pair.due() != nil)
      #expect(try await pair.sights().map(\.isAllowed) == [false])
      await #expect(throws: StoreError.notFound) { try await store.create(try pair.companion(at: 21)) }
      try await store.setPrivate(true, pair.ben.id, at: S.time(22))
      #expect(try await store.companions(of: pair.ben.id).isEmpty)
      await #expect(throws: StoreError.privateAccount) { try await store.create(try pair.companion(at: 23)) }
    }
  }
}
