import AlarmEngine
import Testing

@testable import Store

@Suite("Contract: outbox and channels")
struct OutboxContract {
  typealias S = StoreSamples

  @Test(arguments: StoreForm.allCases)
  func `channels are their account's and keep their secrets`(form: StoreForm) async throws {
    try await form.withStore { store in
      let (anna, bob) = (try await store.makeAccount("anna"), try await store.makeAccount("bob"))
      var channel = try await store.makeChannel("hook", of: anna)
      #expect(try await store.channel(channel.id, of: anna.id) == channel)
      await #expect(throws: StoreError.notFound) { try await store.channel(channel.id, of: bob.id) }
      channel.rule = try ChannelRule(
        zones: [ZoneID(rawValue: 7), ZoneID(rawValue: .max)], categories: ["Danger zone", "Škola"],
        directions: [.enter, .dwell], kinds: [.ring, .repeat, .distress],
        devices: [DeviceID(rawValue: 1), DeviceID(rawValue: .max)],
        hours: [
          .init(weekdays: .mondayToFriday, opens: 22 * 60, closes: 6 * 60),
          .init(weekdays: .everyDay, opens: 0, closes: 1440),
        ])
      channel.escalationStep = try #require(EscalationStep(2))
      let saved = try await store.save(channel, over: .first, at: S.time())
      #expect(saved.rule == channel.rule && saved.secrets == channel.secrets)
      let urgent = try await store.makeChannel("z first", of: anna)
      #expect(try await store.channels(of: anna.id) == [urgent, saved])
      try await store.deleteChannel(saved.id, of: anna.id, at: S.time())
      #expect(try await store.channels(of: anna.id) == [urgent])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a stored step that is not allowed counts as the nearest that is`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let (odd, sound) = (
        try await store.makeChannel("odd", of: anna), try await store.makeChannel("sound", of: anna)
      )
      let phone = try await store.makeDevice("phone", of: anna)
      let alarm = S.alarm(1, of: anna.id, phone.id)
      _ = try await store.record { $0.alarms = [alarm] }
      for (stored, read) in [(-3, 0), (21, 20), (Int64.max, 20)] as [(Int64, Int)] {
        try await store.write { database in
          for table in ["channel", "alarm"] {
            _ = try database.run(
              "UPDATE \(table) SET escalation_step = ? WHERE id IN (?, ?)",
              [stored, odd.id.sql, alarm.id.sql])
          }
        }
        let channels = try await store.channels(of: anna.id)
        #expect(channels.first { $0.id == odd.id }?.escalationStep.number == read)
        #expect(channels.first { $0.id == sound.id } == sound)
        #expect(try await store.alarm(alarm.id, of: anna.id).escalationStep.number == read)
      }
      for number in [-3, -1, 21] { #expect(EscalationStep(number) == nil) }
      #expect([0, 20].map { EscalationStep($0)?.number } == [0, 20])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `the end of an alarm goes only to a channel that was told of it, if it says so`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phone = try await store.makeDevice("phone", of: anna)
      let alarm = S.alarm(7, of: anna.id, phone.id)
      var channels: [Channel] = []
      for name in ["delivered", "waits", "another alarm", "never"] {
        channels.append(try await store.makeChannel(name, of: anna))
      }
      func end(_ channel: Channel) -> OutboxItem {
        OutboxItem(
          account: anna.id, channel: channel.id, alarm: alarm.id, collapseKey: "end", payload: [9],
          createdAt: S.time(), dueAt: S.time(), expiresAt: S.time(1e5), isOnlyIfTold: true)
      }
      _ = try await store.record { $0.alarms = [alarm] }
      try await store.record(
        DeliveryAttempt(
          alarm: alarm.id, channel: channels[0].id, attempt: 1, startedAt: S.time(), endedAt: S.time(),
          outcome: .delivered, detail: ""))
      try await store.enqueue([
        S.item(channels[1], alarm: 7, due: 50), S.item(channels[2], alarm: 8, due: 50),
      ])
      _ = try await store.record { batch in batch.outbox = channels.map(end) }
      let ends = try await store.lease(now: S.time(1), limit: 9, for: .seconds(30))
      #expect(Set(ends.map(\.item.channel)) == [channels[0].id, channels[1].id])
      // A ring that the same transaction drops was told to nobody.
      _ = try await store.record { batch in
        batch.withdrawn = [AlarmID(rawValue: 8)]
        batch.outbox = [
          OutboxItem(
            account: anna.id, channel: channels[2].id, alarm: AlarmID(rawValue: 8), collapseKey: nil,
            payload: [9], createdAt: S.time(), dueAt: S.time(), expiresAt: S.time(1e5), isOnlyIfTold: true)
        ]
      }
      let later = try await store.lease(now: S.time(60), limit: 9, for: .seconds(30))
      #expect(later.allSatisfy { $0.item.channel != channels[2].id })
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a channel's daily test goes out once, and what came of it changes no revision`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      var hook = try await store.makeChannel("hook", of: anna)
      _ = try await store.makeChannel("never tested", of: anna)
      hook.dailyTest = DailyTest(minute: 615, nextAt: S.time(100))
      hook = try await store.save(hook, over: .first, at: S.time())
      #expect(hook.dailyTest == DailyTest(minute: 615, nextAt: S.time(100)) && hook.lastTest == nil)
      #expect(try await store.channelsToTest(through: S.time(99), limit: 9).isEmpty)
      #expect(try await store.channelsToTest(through: S.time(100), limit: 9) == [hook])
      #expect(try await store.enqueueTest(S.item(hook), of: hook, next: S.time(200)))
      // A second process had read it earlier.
      #expect(try await store.enqueueTest(S.item(hook), of: hook, next: S.time(200)) == false)
      #expect(try await store.lease(now: S.time(100), limit: 9, for: .seconds(30)).count == 1)
      #expect(try await store.channelsToTest(through: S.time(199), limit: 9).isEmpty)
      try await store.record(ChannelTest(at: S.time(101), failure: "no answer"), of: hook.id)
      let tested = try await store.channel(hook.id, of: anna.id)
      #expect(tested.lastTest == ChannelTest(at: S.time(101), failure: "no answer"))
      #expect(tested.dailyTest?.nextAt == S.time(200) && tested.revision == hook.revision)
      // An edit begun before the test is accepted, and keeps the test's result.
      hook.isActive = false
      let saved = try await store.save(hook, over: hook.revision, at: S.time(102))
      #expect(saved.lastTest == tested.lastTest)
      #expect(try await store.channelsToTest(through: S.time(999), limit: 9).isEmpty)
      #expect(try await store.enqueueTest(S.item(saved), of: saved, next: S.time(300)) == false)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `what is due is handed out once, again when the lease ran out, and not when done`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phone = try await store.makeDevice("phone", of: anna)
      let hook = try await store.makeChannel("hook", of: anna)
      _ = try await store.record {
        $0.alarms = [S.alarm(1, of: anna.id, phone.id)]
        $0.outbox = [S.item(hook, due: 20), S.item(hook, alarm: 1, due: 10, payload: [])]
      }
      #expect(try await store.nextDue() == S.time(10))
      #expect(try await store.lease(now: S.time(9), limit: 9, for: .seconds(30)).isEmpty)
      let first = try await store.lease(now: S.time(25), limit: 9, for: .seconds(30))
      #expect(first.map(\.item.dueAt) == [S.time(10), S.time(20)])
      #expect(first.map(\.item.payload) == [[], [1, 2, 3]])
      #expect(first.allSatisfy { $0.attempt == 1 && $0.leasedUntil == S.time(55) })
      #expect(try await store.lease(now: S.time(54), limit: 9, for: .seconds(30)).isEmpty)
      func attempt(_ lease: OutboxLease, _ outcome: DeliveryAttempt.Outcome) -> DeliveryAttempt {
        DeliveryAttempt(
          alarm: AlarmID(rawValue: 1), channel: hook.id, attempt: lease.attempt, startedAt: S.time(26),
          endedAt: S.time(27), outcome: outcome, detail: "503")
      }
      #expect(try await store.complete(first[0], attempt(first[0], .delivered)))
      // The other deliverer died: the item is leased again, and the dead one's result is ignored.
      let second = try await store.lease(now: S.time(55), limit: 9, for: .seconds(30))
      #expect(second.map(\.number) == [first[1].number] && second[0].attempt == 2)
      #expect(try await store.complete(first[1], attempt(first[1], .delivered)) == false)
      #expect(try await store.retry(second[0], at: S.time(300), attempt(second[0], .failed)))
      #expect(try await store.nextDue() == S.time(300))
      let third = try await store.lease(now: S.time(300), limit: 9, for: .seconds(30))
      #expect(third.map(\.attempt) == [3])
      #expect(try await store.complete(third[0], nil))
      #expect(try await store.nextDue() == nil)
      let attempts = try await store.attempts(of: AlarmID(rawValue: 1), account: anna.id)
      #expect(attempts.map(\.outcome) == [.delivered, .delivered, .failed])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `items of kinds that are left out wait without an attempt, and end when they expire`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let hook = try await store.makeChannel("hook", of: anna)
      let broker = Channel(
        account: anna.id, kind: .mqtt, name: "broker", address: "{}", createdAt: S.time())
      try await store.create(broker)
      try await store.enqueue([
        S.item(broker, due: 10, payload: [1]), S.item(hook, due: 20, payload: [2]),
        S.item(broker, due: 30, expires: 50, payload: [3]),
      ])
      func lease(_ seconds: Double, without left: Set<ChannelKind>) async throws -> [[UInt8]] {
        try await store.lease(
          now: S.time(seconds), limit: 9, for: .seconds(30), owner: "a process", without: left
        ).map(\.item.payload)
      }
      #expect(try await store.nextDue(without: [.mqtt]) == S.time(20))
      #expect(try await store.nextDue(without: [.webhook]) == S.time(10))
      #expect(try await store.nextDue(without: [.mqtt, .webhook]) == nil)
      #expect(try await lease(15, without: [.mqtt]).isEmpty)
      #expect(try await lease(40, without: [.mqtt]) == [[2]])
      #expect(try await lease(45, without: [.mqtt, .webhook]).isEmpty)
      // The expired item is removed although the broker cannot be reached, and nothing else is.
      #expect(try await lease(60, without: [.mqtt, .webhook]).isEmpty)
      let whole = try await store.lease(now: S.time(61), limit: 9, for: .seconds(30), owner: "another")
      #expect(whole.filter { $0.item.channel == broker.id }.map(\.item.payload) == [[1]])
      #expect(whole.first { $0.item.channel == broker.id }?.attempt == 1)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a later item replaces what waits under its key, and follows what is on its way`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let hook = try await store.makeChannel("hook", of: anna)
      let other = try await store.makeChannel("other", of: anna)
      try await store.enqueue([
        S.item(hook, key: "a", payload: [1]), S.item(other, key: "a", payload: [2]),
        S.item(hook, key: "a", payload: [3]), S.item(hook, payload: [4]), S.item(hook, payload: [5]),
      ])
      let leased = try await store.lease(now: S.time(1), limit: 9, for: .seconds(30))
      #expect(leased.map(\.item.payload) == [[2], [3], [4], [5]])
      try await store.enqueue([S.item(hook, key: "a", payload: [6])])
      #expect(try await store.lease(now: S.time(2), limit: 9, for: .seconds(30)).isEmpty)
      #expect(try await store.retry(leased[1], at: S.time(3), nil))
      let next = try await store.lease(now: S.time(4), limit: 9, for: .seconds(30))
      #expect(next.map(\.item.payload) == [[6]])
      #expect(try await store.cancelOutbox(of: hook.id, collapseKey: "a") == 1)
      #expect(try await store.complete(next[0], nil) == false)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `what takes an alarm back follows what is on its way, also where that is to be tried again`(
    form: StoreForm
  ) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phone = try await store.makeDevice("phone", of: anna)
      let hook = try await store.makeChannel("hook", of: anna)
      let other = try await store.makeChannel("other", of: anna)
      _ = try await store.record {
        $0.alarms = [S.alarm(1, of: anna.id, phone.id)]
        $0.outbox = [
          S.item(hook, alarm: 1, key: "1", payload: [1]), S.item(other, alarm: 1, key: "1", payload: [1]),
        ]
      }
      let ring = try await store.lease(now: S.time(1), limit: 1, for: .seconds(30))
      #expect(ring.map(\.item.channel) == [hook.id])
      _ = try await store.record(at: 2) {
        $0.withdrawn = [AlarmID(rawValue: 1)]
        $0.outbox = [
          S.item(hook, alarm: 1, key: "1", payload: [2]), S.item(other, alarm: 1, key: "1", payload: [2]),
        ]
      }
      // The other channel has not had the ring yet, so it is dropped there.
      let there = try await store.lease(now: S.time(3), limit: 9, for: .seconds(30))
      #expect(there.map(\.item.channel) == [other.id] && there.map(\.item.payload) == [[2]])
      #expect(try await store.retry(ring[0], at: S.time(4), nil))
      let here = try await store.lease(now: S.time(5), limit: 9, for: .seconds(30))
      #expect(here.map(\.item.payload) == [[2]])
      #expect(try await store.complete(here[0], nil))
      #expect(try await store.complete(there[0], nil))
      #expect(try await store.nextDue() == nil)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `of one alarm the older goes first, whatever its key, and a new process need not wait for leases`(
    form: StoreForm
  ) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let hook = try await store.makeChannel("hook", of: anna)
      try await store.enqueue([
        S.item(hook, alarm: 1, key: "1", payload: [1]),
        S.item(hook, alarm: 1, key: "1-cleared", payload: [2]),
        S.item(hook, alarm: 2, key: "2", payload: [3]),
      ])
      let first = try await store.lease(now: S.time(1), limit: 9, for: .seconds(100))
      #expect(first.map(\.item.payload) == [[1], [3]])
      #expect(try await store.lease(now: S.time(2), limit: 9, for: .seconds(100)).isEmpty)
      try await store.releaseLeases(of: "another", at: S.time(3))
      #expect(try await store.lease(now: S.time(3), limit: 9, for: .seconds(100)).isEmpty)
      try await store.releaseLeases(of: "a process", at: S.time(3))
      #expect(try await store.nextDue() == S.time())
      let second = try await store.lease(now: S.time(4), limit: 9, for: .seconds(100))
      #expect(second.map(\.item.payload) == [[1], [3]] && second.allSatisfy { $0.attempt == 2 })
      #expect(try await store.complete(second[0], nil))
      let third = try await store.lease(now: S.time(5), limit: 9, for: .seconds(100))
      #expect(third.map(\.item.payload) == [[2]])
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a lease is renewed until the item is leased again or settled`(form: StoreForm) async throws {
    try await form.withTwo { first, second in
      let anna = try await first.makeAccount("anna")
      let phone = try await first.makeDevice("phone", of: anna)
      let hook = try await first.makeChannel("hook", of: anna)
      _ = try await first.record {
        $0.alarms = [S.alarm(1, of: anna.id, phone.id)]
        $0.outbox = [S.item(hook, alarm: 1)]
      }
      let lease = try #require(try await first.lease(now: S.time(), limit: 9, for: .seconds(15)).first)
      let renewed = try await first.renew([lease], for: .seconds(15), at: S.time(10))
      #expect(renewed.map(\.leasedUntil) == [S.time(25)] && renewed.map(\.attempt) == [1])
      #expect(try await second.lease(now: S.time(24), limit: 9, for: .seconds(15)).isEmpty)
      // A lease that ran out unnoticed.
      #expect(try await first.renew([lease], for: .seconds(15), at: S.time(30)).count == 1)
      #expect(try await second.lease(now: S.time(44), limit: 9, for: .seconds(15)).isEmpty)
      let again = try await second.lease(now: S.time(45), limit: 9, for: .seconds(15))
      #expect(again.map(\.attempt) == [2])
      #expect(try await first.renew([lease], for: .seconds(15), at: S.time(46)).isEmpty)
      // The outcome of a write is unknown, so it is repeated.
      let attempt = DeliveryAttempt(
        alarm: AlarmID(rawValue: 1), channel: hook.id, attempt: 2, startedAt: S.time(45),
        endedAt: S.time(46), outcome: .delivered, detail: "")
      let settlement = OutboxSettlement(lease: again[0], outcome: .done, attempt: attempt)
      #expect(try await second.settle([settlement]) == 1)
      #expect(try await second.settle([settlement], isRepeated: true) == 0)
      #expect(try await second.attempts(of: AlarmID(rawValue: 1), account: anna.id).count == 1)
      #expect(try await second.renew(again, for: .seconds(15), at: S.time(47)).isEmpty)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a notice is counted and told in one transaction, or neither`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let bob = try await store.makeAccount("bob")
      let phone = try await store.makeDevice("phone", of: anna)
      let hook = try await store.makeChannel("hook", of: anna)
      func show(at seconds: Double, as account: AccountID) async throws -> Int {
        _ = try await store.record(at: seconds) {
          $0.notices = [
            NoticeShowing(
              zone: ZoneID(rawValue: 5), device: phone.id, account: account, cap: .hours(1),
              items: [S.item(hook)])
          ]
        }
        let leases = try await store.lease(now: S.time(seconds), limit: 9, for: .seconds(1))
        for lease in leases { try await store.complete(lease, nil) }
        return leases.count
      }
      #expect(try await show(at: 0, as: anna.id) == 1)
      #expect(try await show(at: 3599, as: anna.id) == 0)
      #expect(try await show(at: 3600, as: anna.id) == 1)
      #expect(try await show(at: 9000, as: bob.id) == 0)
      #expect(try await store.noticeCounts(of: anna.id).map(\.shown) == [2])
      #expect(try await store.noticeCounts(of: bob.id).isEmpty)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `much is settled at once`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let hook = try await store.makeChannel("hook", of: anna)
      try await store.enqueue((0..<5).map { S.item(hook, due: Double($0)) })
      let leases = try await store.lease(now: S.time(9), limit: 9, for: .seconds(30))
      let settlements = leases.map { lease in
        OutboxSettlement(
          lease: lease, outcome: lease.number % 2 == 0 ? .done : .again(at: S.time(60)), attempt: nil)
      }
      #expect(try await store.settle(settlements) == 5)
      #expect(try await store.nextDue() == S.time(60))
      let left = leases.filter { $0.number % 2 != 0 }.map(\.number)
      #expect(try await store.lease(now: S.time(60), limit: 9, for: .seconds(30)).map(\.number) == left)
      // Repeated: finished items are gone, and postponed ones now have another lease.
      #expect(try await store.settle(settlements) == 0)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `an answered alarm leaves nothing waiting, an expired item a note`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phone = try await store.makeDevice("phone", of: anna)
      let hook = try await store.makeChannel("hook", of: anna)
      _ = try await store.record {
        $0.alarms = [S.alarm(1, of: anna.id, phone.id), S.alarm(2, of: anna.id, phone.id)]
        $0.outbox = [
          S.item(hook, alarm: 1, key: "1"), S.item(hook, alarm: 1, key: "other", due: 10),
          S.item(hook, alarm: 2, expires: 5),
        ]
      }
      _ = try await store.lease(now: S.time(1), limit: 1, for: .seconds(30))
      // Withdrawn and sent again in one batch.
      _ = try await store.record {
        $0.withdrawn = [AlarmID(rawValue: 1)]
        $0.outbox = [S.item(hook, alarm: 1, key: "1", due: 100, payload: [9])]
      }
      #expect(try await store.lease(now: S.time(50), limit: 9, for: .seconds(30)).isEmpty)
      let attempts = try await store.attempts(of: AlarmID(rawValue: 2), account: anna.id)
      #expect(attempts.map(\.outcome) == [.rejected] && attempts[0].detail == "expired")
      #expect(try await store.cancelOutbox(of: AlarmID(rawValue: 1)) == 1)
      try await store.record(
        DeliveryAttempt(
          alarm: AlarmID(rawValue: 1), channel: hook.id, attempt: 1, startedAt: S.time(), endedAt: S.time(),
          outcome: .seen, detail: ""))
      await #expect(throws: StoreError.notFound) {
        try await store.record(
          DeliveryAttempt(
            alarm: AlarmID(rawValue: 77), channel: hook.id, attempt: 1, startedAt: S.time(),
            endedAt: S.time(), outcome: .seen, detail: ""))
      }
      try await store.enqueue([S.item(hook)])
      try await store.deleteChannel(hook.id, of: anna.id, at: S.time())
      #expect(try await store.nextDue() == nil)
    }
  }
}
