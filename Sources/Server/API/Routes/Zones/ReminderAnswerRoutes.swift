import AlarmEngine
import AlarmService
import Delivery
import Formats
import HTTPTypes
import Hummingbird
import Store

/// The answers to a reminder (S211-S215), by the API and by the links in messages. An answer withdraws the
/// notifications of all phones and channels, and reaches every device by the feed.
enum ReminderAnswerRoutes {
  /// How long a snooze lasts: the choices of the page, by the same words (S213).
  private static let choices: [(word: String, label: String, snooze: ReminderSnooze)] = [
    ("30m", "30 minutes", .halfAnHour), ("1h", "1 hour", .oneHour), ("3h", "3 hours", .threeHours),
    ("tomorrow", "Tomorrow, 9:00", .tomorrowMorning), ("1w", "1 week", .oneWeek),
  ]
  private static let choice = Schema.words(choices.map(\.word))
  private static let usual = "1h"

  static let table: [Route] =
    [
      answer("done", "completeReminder", "Completes a reminder") { _, _ in .completed },
      answer(
        "snooze", "snoozeReminder",
        "Puts a reminder off: it is told again afterwards, at once if a phone is still near",
        body: .json(
          .object([
            .allowed("for", choice, "How long; `tomorrow` ends at 9:00 in the account's time zone."),
            .allowed("until", .time, "The end instead of a length."),
          ]))
      ) { call, account in
        switch (call.json["for"]?.string, call.json["until"]?.string.flatMap(RFC3339.instant(from:))) {
        case (let word?, nil): return .snoozed(until: try await end(of: word, call, account))
        case (nil, let until?) where until > call.now: return .snoozed(until: until)
        case (nil, .some): throw Problem.invalid("/until", "a time that is over found, a later one allowed")
        default: throw Problem.invalid("", "one of for and until has to be given")
        }
      },
      answer("restart", "restartReminder", "Makes a snoozed or completed reminder active") { _, _ in .active
      },
    ] + [
      Route(
        method: .get, path: "/r/{link}", name: "showReminderLink",
        summary: "Shows a page that asks before a link of a reminder acts",
        handler: .anyone(show), answers: [.media(["text/html"], "A page.")], isDocumented: false,
        takesFurtherParameters: true),
      Route(
        method: .post, path: "/r/{link}", name: "followReminderLink",
        summary: "Carries out the action of a link of a reminder",
        handler: .anyone(act),
        query: [.init(name: "for", schema: choice, meaning: "How long a snooze lasts.")],
        answers: [.media(["text/html"], "A page.")], isDocumented: false, takesFurtherParameters: true,
        isCapability: true),
    ]

  private static func answer(
    _ word: String, _ name: String, _ summary: String, body: Route.Body = .none,
    _ state: @escaping @Sendable (Call, AccountID) async throws -> Reminder.State
  ) -> Route {
    Route(
      method: .post, path: "/api/v1/reminders/{reminder}/\(word)", name: name, summary: summary,
      handler: .account { call, signed in
        let id = ReminderID(rawValue: try call.id("reminder"))
        let state = try await state(call, signed.account)
        return try await ReminderRoutes.answer(carryOut(state, id, signed.account, call), call)
      }, body: body,
      answers: [.json(ReminderRoutes.reminder, "The reminder after the answer.", hasETag: true)])
  }

  /// Stores an answer, and withdraws the notifications.
  private static func carryOut(
    _ state: Reminder.State, _ id: ReminderID, _ account: AccountID, _ call: Call
  ) async throws -> StoredReminder {
    let stored = try await call.store.answerReminder(id, state, of: account, at: call.now)
    try await call.remindersChanged(account)
    return stored
  }

  private static func end(of word: String, _ call: Call, _ account: AccountID) async throws -> Instant {
    let snooze = choices.first { $0.word == word }?.snooze ?? .oneHour
    guard snooze == .tomorrowMorning else { return snooze.until(from: call.now, offsets: []) }
    let calendar = AccountCalendar(try await call.store.settings(of: account))
    return calendar.next(
      minute: 9 * 60, after: calendar.nextMidnight(after: call.now) - .milliseconds(1))
  }

  // MARK: Links

  /// Finds the reminder, and the sentence that answers a link whose message is no longer the latest word: an
  /// old message must neither bring back a reminder that was completed since, nor complete one that has begun
  /// anew.
  private static func find(_ call: Call) async throws -> (ReminderLink, Reminder, isOver: String?) {
    let link = try call.link(LinkSigner.checkReminder)
    let account = AccountID(rawValue: link.account)
    let reminder = try await call.store.reminder(link.reminder, of: account).reminder
    switch reminder.state {
    case .completed: return (link, reminder, "It is done.")
    case .snoozed: return (link, reminder, nil)
    case .active:
      let fields = try await call.store.reminderRecord(link.reminder, of: account).record.fields
      let edited = fields.first { $0.field == ReminderField.state.rawValue }?.editedAt.time
      // The times of edits may run ahead of the clock by some milliseconds.
      let told = link.expires - OutboxWorker.linkLifetime + .seconds(1)
      let hasBegunAnew = edited.map { $0 > told } ?? false
      return (link, reminder, hasBegunAnew ? "It has begun anew since this message." : nil)
    }
  }

  private static func show(_ call: Call) async throws -> Response {
    let (link, reminder, isOver) = try await find(call)
    let buttons =
      switch link.purpose {
      case .done: [PlainPage.button("Done")]
      case .snooze: choices.map { PlainPage.button($0.label, to: "?for=\($0.word)") }
      }
    return page(reminder, isOver.map { [PlainPage.status($0)] } ?? buttons)
  }

  private static func act(_ call: Call) async throws -> Response {
    let (link, reminder, isOver) = try await find(call)
    if let isOver { return page(reminder, [PlainPage.status(isOver)]) }
    let account = AccountID(rawValue: link.account)
    switch link.purpose {
    case .done:
      _ = try await carryOut(.completed, reminder.id, account, call)
      return page(reminder, [PlainPage.status("Done.")])
    case .snooze:
      let end = try await end(of: call.query["for"]?.string ?? usual, call, account)
      _ = try await carryOut(.snoozed(until: end), reminder.id, account, call)
      return page(reminder, [PlainPage.status("Put off until \(RFC3339.string(from: end)).")])
    }
  }

  private static func page(_ reminder: Reminder, _ lines: [String]) -> Response {
    let title = reminder.title.isEmpty ? "Reminder" : reminder.title.string
    let items = reminder.items.filter { !$0.done }.map { PlainPage.paragraph($0.text.string) }
    return .page(PlainPage.markup(title: title, lines: [PlainPage.heading(title)] + items + lines))
  }
}
