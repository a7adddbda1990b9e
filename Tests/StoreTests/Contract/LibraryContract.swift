import AlarmEngine
import Geometry
import Testing

@testable import Store

@Suite("Contract: messages, sounds, reminders, notices, changes")
struct LibraryContract {
  typealias S = StoreSamples

  @Test(arguments: StoreForm.allCases)
  func `messages and sounds`(form: StoreForm) async throws {
    try await form.withStore { store in
      let (anna, bob) = (try await store.makeAccount("anna"), try await store.makeAccount("bob"))
      let content = Message(
        yourMoniker: Text(utf8: [0xff]), toMoniker: "Mum", contactNumber: "+1 555", supplement: "Rope")
      var message = SavedMessage(account: anna.id, message: content)
      try await store.create(message, at: S.time())
      #expect(try await store.messages(of: anna.id) == [message])
      message.message.supplement = "Two ropes"
      let saved = try await store.save(message, over: .first, at: S.time(1))
      #expect(try await store.message(message.id, of: anna.id) == saved)
      await #expect(throws: StoreError.notFound) {
        try await store.deleteMessage(message.id, of: bob.id, at: S.time())
      }
      try await store.deleteMessage(message.id, of: anna.id, at: S.time())
      let bytes = [UInt8](repeating: 7, count: 100_000)
      let sound = Sound(
        account: anna.id, name: "horn", mediaType: "audio/ogg", size: 100_000, savedAt: S.time())
      try await store.save(sound, bytes: bytes)
      let read = try await store.sound(sound.id, of: anna.id)
      #expect(read.sound == sound && read.bytes == bytes)
      await #expect(throws: StoreError.taken) {
        try await store.save(
          Sound(account: anna.id, name: "horn", mediaType: "", size: 0, savedAt: S.time()), bytes: [])
      }
      await #expect(throws: StoreError.taken) {
        try await store.save(
          Sound(id: sound.id, account: bob.id, name: "mine", mediaType: "", size: 0, savedAt: S.time()),
          bytes: [])
      }
      await #expect(throws: StoreError.notFound) { try await store.sound(sound.id, of: bob.id) }
      try await store.deleteSound(sound.id, of: anna.id, at: S.time())
      #expect(try await store.sounds(of: anna.id).isEmpty)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `reminders are saved, merged and deleted`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      var reminder = try Reminder(
        id: ReminderID(rawValue: 3), title: "Baker", items: [.init("Bread")],
        places: [.init(name: "Branch", coordinate: S.fix(0).fix.position)])
      try await store.save(reminder, of: anna.id, over: nil, at: S.time())
      let phone = try await store.reminderRecord(reminder.id, of: anna.id)
      var offline = reminder
      offline.items = [.init("Bread", done: true)]
      var clock = HybridClock(node: 4, last: phone.record.latest)
      var record = phone.record
      record.edit(to: offline.fields, at: clock.tick(at: S.time(5)))
      reminder.title = "Baker's"
      let saved = try await store.save(reminder, of: anna.id, over: .first, at: S.time(6))
      #expect(try await store.reminders(of: anna.id) == [saved])
      try await store.merge([ReminderRecord(id: reminder.id, record: record)], of: anna.id, at: S.time(7))
      let both = try await store.reminder(reminder.id, of: anna.id)
      #expect(both.reminder.title == "Baker's" && both.reminder.items == offline.items)
      await #expect(throws: StoreError.stale(stored: both.revision)) {
        try await store.deleteReminder(reminder.id, of: anna.id, over: .first, at: S.time(8))
      }
      try await store.deleteReminder(reminder.id, of: anna.id, over: nil, at: S.time(8))
      // An earlier edit on the phone does not bring it back.
      try await store.merge([ReminderRecord(id: reminder.id, record: record)], of: anna.id, at: S.time(9))
      #expect(try await store.reminders(of: anna.id).isEmpty)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a telling is kept once for each phone, with its deliveries, and goes with reminder and phone`(
    form: StoreForm
  ) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let channel = try await store.makeChannel("hook", of: anna)
      let phone = try await store.makeDevice("phone", of: anna)
      let tablet = try await store.makeDevice("tablet", of: anna)
      let bread = try Reminder(id: ReminderID(rawValue: 1), title: "Bread")
      try await store.save(bread, of: anna.id, over: nil, at: S.time())
      func tell(_ device: Device, _ seconds: Double, of id: UInt64 = 1) async throws {
        _ = try await store.record(at: seconds) {
          $0.reminded = [
            ReminderTelling(
              reminder: ReminderID(rawValue: id), account: anna.id, device: device.id, at: S.time(seconds),
              place: "Shop \(seconds)", distance: seconds, items: [S.item(channel, alarm: nil)])
          ]
        }
      }
      for (device, seconds) in [(phone, 1.0), (tablet, 2), (phone, 3)] { try await tell(device, seconds) }
      // One that does not exist, or was deleted, is not told.
      try await tell(phone, 4, of: 2)
      #expect(try await store.statistics().outbox == 3)
      let told = try await store.reminderTellings(of: anna.id, bread.id)
      #expect(told.map(\.device) == [phone.id, tablet.id] && told.map(\.distance) == [3, 2])
      #expect(try await store.reminderTellings(of: anna.id, ReminderID(rawValue: 2)).isEmpty)
      try await store.deleteDevice(tablet.id, of: anna.id, at: S.time(5))
      #expect(try await store.reminderTellings(of: anna.id).map(\.device) == [phone.id])
      try await store.deleteReminder(bread.id, of: anna.id, over: nil, at: S.time(6))
      try await tell(phone, 7)
      #expect(try await store.statistics().outbox == 3)
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `an answer changes the state alone, and makes the phones judge the reminder again`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phone = try await store.makeDevice("phone", of: anna)
      let items = [Reminder.Item("milk", done: true)]
      let bread = try Reminder(id: ReminderID(rawValue: 1), title: "Bread", items: items, repeats: true)
      try await store.save(bread, of: anna.id, over: nil, at: S.time())
      func version() async throws -> Int64? {
        try await store.deviceStates([phone.id], since: S.time())[phone.id]?.version
      }
      let before = try #require(try await version())
      let done = try await store.answerReminder(bread.id, .completed, of: anna.id, at: S.time(1))
      #expect(done.reminder.state == .completed && done.reminder.items == items)
      #expect(try await store.reminder(bread.id, of: anna.id) == done)
      #expect(try await version() == before + 1)
      // The same again changes nothing.
      #expect(try await store.answerReminder(bread.id, .completed, of: anna.id, at: S.time(2)) == done)
      #expect(try await version() == before + 1)
      // A decision from the former reminders is not written.
      await #expect(throws: StoreError.conflict([phone.id])) {
        _ = try await store.record(at: 3) { $0.versions = [phone.id: before] }
      }
      let restart = ReminderRestart(id: bread.id, account: anna.id)
      _ = try await store.record(at: 4) { $0.restarted = [restart] }
      let anew = try await store.reminder(bread.id, of: anna.id).reminder
      #expect(anew.state == .active && anew.items.map(\.done) == [false])
      _ = try await store.record(at: 5) {
        $0.restarted = [restart, ReminderRestart(id: ReminderID(rawValue: 9), account: anna.id)]
      }
      #expect(try await store.reminder(bread.id, of: anna.id).reminder == anew)
      let states = try await store.deviceStates([phone.id], since: S.time())
      #expect(states[phone.id]?.reminders.map(\.reminder) == [anew])
      await #expect(throws: StoreError.notFound) {
        try await store.answerReminder(ReminderID(rawValue: 9), .active, of: anna.id, at: S.time(6))
      }
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `a notice is shown at most once in its cap, on each device`(form: StoreForm) async throws {
    try await form.withStore { store in
      let anna = try await store.makeAccount("anna")
      let phone = try await store.makeDevice("phone", of: anna)
      let tablet = try await store.makeDevice("tablet", of: anna)
      let zone = ZoneID(rawValue: 5)
      func show(_ device: Device, _ seconds: Double, cap: TimeSpan = .hours(1)) async throws -> Bool {
        try await store.showNotice(of: zone, on: device.id, of: anna.id, cap: cap, at: S.time(seconds))
      }
      await #expect(throws: StoreError.notFound) {
        try await store.openNotice(of: zone, on: phone.id, of: anna.id, at: S.time())
      }
      #expect(try await show(phone, 0))
      #expect(try await show(phone, 3599) == false)
      #expect(try await show(tablet, 1))
      #expect(try await show(phone, 3600))
      #expect(try await show(phone, 3601, cap: .zero))
      try await store.openNotice(of: zone, on: phone.id, of: anna.id, at: S.time())
      let counts = try await store.noticeCounts(of: anna.id)
      #expect(counts.count == 2)
      #expect(
        counts.contains(
          NoticeCount(zone: zone, device: phone.id, shown: 3, opened: 1, lastShownAt: S.time(3601))))
    }
  }

  @Test(arguments: StoreForm.allCases)
  func `the feed has each thing once, at its last change, in pages, for its account`(form: StoreForm)
    async throws
  {
    try await form.withStore { store in
      let (anna, bob) = (try await store.makeAccount("anna"), try await store.makeAccount("bob"))
      let start = try await store.cursor(of: anna.id)
      for id in [1, 2, 3] as [UInt64] {
        try await store.save(S.zone(id), of: anna.id, in: nil, over: nil, at: S.time())
      }
      try await store.save(S.zone(9), of: bob.id, in: nil, over: nil, at: S.time())
      try await store.save(S.zone(1, "Again"), of: anna.id, in: nil, over: .first, at: S.time(1))
      try await store.deleteZone(ZoneID(rawValue: 2), of: anna.id, over: nil, at: S.time(2))
      var read: [ChangeEntry] = []
      var cursor = start
      while true {
        let page = try await store.changes(of: anna.id, after: cursor, limit: 2)
        read += page.entries
        cursor = page.next
        if !page.hasMore { break }
      }
      #expect(read.map(\.id) == [3, 1, 2])
      #expect(read.map(\.isDeleted) == [false, false, true])
      #expect(read.allSatisfy { $0.kind == .zone })
      #expect(try await store.cursor(of: anna.id) == cursor)
    }
  }
}
