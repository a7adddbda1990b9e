import AlarmEngine
import TestSupport
import Testing

@testable import Store

@Suite("Contract: private accounts")
struct PrivacyContract {
  typealias S = StoreSamples

  /// An account with one of everything that reveals a place.
  private static func furnish(_ store: SQLStore) async throws -> (Account, Device) {
    let anna = try await store.makeAccount("anna")
    let phone = try await store.makeDevice("phone", of: anna)
    let zone = try await store.save(S.zone(5), of: anna.id, in: nil, over: nil, at: S.time())
    #expect(zone.id.rawValue == 5)
    try await store.save(S.zone(5, "Cliff, moved"), of: anna.id, in: nil, over: zone.revision, at: S.time(1))
    let collection = ZoneCollection(owner: anna.id, name: "Rocks", createdAt: S.time())
    try await store.create(collection)
    try await store.save(S.zone(6), of: anna.id, in: collection.id, over: nil, at: S.time(2))
    try await store.save(
      try Reminder(id: ReminderID(rawValue: 1), title: "Bread"), of: anna.id, over: nil, at: S.time(2))
    let channel = try await store.makeChannel("hook", of: anna)
    _ = try await store.record(at: 3) { batch in
      batch.fixes = [DeviceFixes(device: phone.id, fixes: [S.fix(1), S.fix(90_000), S.fix(200_000)])]
      batch.alarms = [S.alarm(1, of: anna.id, phone.id)]
      batch.outbox = [S.item(channel, alarm: 1)]
      batch.reminded = [
        ReminderTelling(
          reminder: ReminderID(rawValue: 1), account: anna.id, device: phone.id, at: S.time(3), place: "Shop",
          distance: 80)
      ]
      batch.rawBodies = [
        RawBody(device: phone.id, receivedAt: S.time(3), source: "owntracks", reason: "odd", body: [1])
      ]
    }
    try await store.create(
      Share(
        owner: anna.id, device: phone.id, receiver: .person(login: "ben", until: nil), name: "way",
        precision: .place,
        createdAt: S.time(3)))
    try await store.note(
      AuditEntry(
        account: anna.id, at: S.time(4), action: "createShare", subject: "46.05", actor: .commandLine))
    return (anna, phone)
  }

  @Test(arguments: StoreForm.allCases)
  func `what says where somebody was is counted, erased in steps, and gone`(form: StoreForm) async throws {
    try await form.withStore { store in
      let (anna, phone) = try await Self.furnish(store)
      let ben = try await store.makeAccount("ben")
      try await store.save(S.zone(7), of: ben.id, in: nil, over: nil, at: S.time(5))
      for (action, subject) in [
        ("sleepOthersAlarm", "Cliff · anna"), ("closeOthersAlarm", "Cliff · joanna"),
        ("joinGroup", "Crew · anna"),
      ] {
        try await store.note(
          AuditEntry(account: ben.id, at: S.time(4), action: action, subject: subject, actor: .commandLine))
      }
      let stored = try await store.storedPlaces(of: anna.id)
      #expect(stored.positions == 4 && stored.zones == 3 && stored.alarms == 1 && stored.reminders == 1)
      #expect(stored.collections == 1 && stored.shares == 1 && stored.others == 3)
      await #expect(throws: StoreError.notFound) { try await store.erasePlaces(of: anna.id, limit: 10) }
      try await store.setPrivate(true, anna.id, at: S.time(6))
      var erased = StoredPlaces()
      var steps = 0
      while true {
        let step = try await store.erasePlaces(of: anna.id, limit: 2)
        if step.total == 0 { break }
        erased += step
        steps += 1
      }
      #expect(erased == stored)
      #expect(steps > 2)
      try await store.forgetErased()
      #expect(try await store.storedPlaces(of: anna.id).total == 0)
      #expect(try await store.zones(of: anna.id, after: nil, limit: 10).isEmpty)
      #expect(try await store.zones(of: ben.id, after: nil, limit: 10).count == 1)
      #expect(try await store.privateAccounts() == [anna.id])
      #expect(try await store.auditLog(of: anna.id, before: nil, limit: 10).map(\.subject) == [""])
      // Accounts that answered the alarms keep the entry, without the zone.
      let answered = try await store.auditLog(of: ben.id, before: nil, limit: 10).map(\.subject)
      #expect(Set(answered) == ["anna", "Cliff · joanna", "Crew · anna"])
      // The device keeps its name, need not report, and is known to belong to a private account.
      let left = try await store.device(phone.id)
      #expect(left.isPrivate && left.reportInterval == nil && left.lastFix == nil)
      // The feed does not show that a zone was deleted, so that a browser keeps its copy.
      let feed = try await store.changes(of: anna.id, after: .start, limit: 100)
      #expect(!feed.entries.contains { $0.kind == .zone || $0.kind == .reminder })
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `no place of a private account is taken, whatever form it comes in`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phone = try await store.makeDevice("phone", of: anna)
      let stray = S.device("stray", of: nil)
      try await store.create(stray, identities: [])
      try await store.setPrivate(true, anna.id, at: S.time())
      let revision = try await store.account(anna.id).revision
      // Setting it again changes nothing.
      try await store.setPrivate(true, anna.id, at: S.time())
      #expect(try await store.account(anna.id).revision == revision)
      let zone = S.zone(5)
      let refused = StoreError.privateAccount
      await #expect(throws: refused) {
        try await store.save(zone, of: anna.id, in: nil, over: nil, at: S.time())
      }
      await #expect(throws: refused) {
        try await store.save(
          try Reminder(id: ReminderID(rawValue: 1), title: "Bread"), of: anna.id, over: nil, at: S.time())
      }
      await #expect(throws: refused) {
        try await store.create(ZoneCollection(owner: anna.id, name: "Rocks", createdAt: S.time()))
      }
      await #expect(throws: refused) {
        try await store.claim(stray.id, for: anna.id, token: nil, at: S.time())
      }
      await #expect(throws: refused) {
        try await store.create(
          Share(
            owner: anna.id, device: phone.id, receiver: .person(login: "ben", until: nil), name: "",
            precision: .place,
            createdAt: S.time()))
      }
      #expect(try await store.storedPlaces(of: anna.id).total == 0)
      try await store.setPrivate(false, anna.id, at: S.time(1))
      try await store.save(zone, of: anna.id, in: nil, over: nil, at: S.time(2))
      #expect(try await !store.device(phone.id).isPrivate)
      #expect(try await store.privateAccounts().isEmpty)
    }
  }

  /// A batch that another process decided before the account was private is not written.
  @Test(arguments: StoreForm.allCases)
  func `a batch that was decided before the account turned private is refused`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phone = try await store.makeDevice("phone", of: anna)
      try await store.setPrivate(true, anna.id, at: S.time())
      await #expect(throws: StoreError.conflict([phone.id])) {
        _ = try await store.record { batch in
          batch.versions = [phone.id: 0]
          batch.fixes = [DeviceFixes(device: phone.id, fixes: [S.fix(1)])]
        }
      }
      #expect(try await store.storedPlaces(of: anna.id).total == 0)
    }
  }
}
