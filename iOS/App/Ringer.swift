import AlarmEngine
import Foundation
import PhoneHost

/// Rings an alarm in three ways: a notification, a system alarm, and the app's own sound while its process
/// runs.
///
/// An alarm has one notification and one system alarm, both under its id, so that nothing rings twice.
@MainActor
public final class Ringer {
  var zone: (ZoneID) -> Zone? = { _ in nil }
  /// Called when a person stopped the system's alarm.
  var onStopped: (AlarmID) -> Void = { _ in }
  /// Called when an alarm sounds.
  var onSound: () -> Void = {}
  /// Called when an alarm's system alarm is planned again after a person ended it.
  var onCameBack: () -> Void = {}
  /// Called when a person stopped the system alarm of the test.
  var onTrialStopped: () -> Void = {}
  /// When each system alarm was planned for, and when the system said that it alerted.
  var systemAlarms: [[String: Int64]] { alarms.log.fields }
  /// The least time between two system alarms, in seconds; what is beyond the allowed range is moved into it.
  var systemAlarmCycle: Int {
    get { alarms.cycle }
    set { alarms.cycle = newValue }
  }

  private let notices: Notices
  private let alarms: SystemRinging
  private let files: EngineFiles
  private let sound = AlarmSound()
  private var ringing: [Ringing] = []
  /// The alarms whose sound this process has played.
  private var sounded: Set<AlarmID> = []
  private var last: (alarm: AlarmID, at: TimeSpan)?

  init(notices: Notices, alarms: SystemRinging, files: EngineFiles) {
    self.notices = notices
    self.alarms = alarms
    self.files = files
  }

  private static let choice = "sounding"
  private enum Choice: String { case untilClosed, rising }

  /// Stores how the app's own sound plays: without pauses until the alarm is closed, and rising from soft to
  /// full.
  func choose(isUntilClosed: Bool, isRising: Bool) {
    let wanted = (isUntilClosed ? [Choice.untilClosed] : []) + (isRising ? [.rising] : [])
    let words = Set(wanted.map(\.rawValue))
    if files.noted(as: Self.choice) != words { files.note(words, as: Self.choice) }
  }
  private func isChosen(_ choice: Choice) -> Bool { files.noted(as: Self.choice).contains(choice.rawValue) }

  func tell(_ events: [Event]) {
    for event in events { tell(event) }
  }

  private func tell(_ event: Event) {
    switch event.kind {
    case .alarm(let report), .repeat(let report):
      let zone = zone(report.zone)
      let title = zone.map { "\($0.name)" } ?? Words.alarm
      let body = Words.body(of: report.cause, distance: report.distance)
      let sound = AlarmTone.file(named: zone.map { "\($0.soundName)" } ?? "")
      notices.post(.alarm(report.alarm, title: title, body: body, sound: sound))
      alarms.ring(report.alarm, title: title, sound: sound) { [weak self] in self?.onCameBack() }
      onSound()
      play(report.alarm, of: report.zone)
    case .cleared(let report, _):
      withdraw(report.alarm)
      notices.withdraw(.lostSignal(report.zone, title: "", body: ""))
    case .missedSignal(let id, let distance, _):
      notices.post(.lostSignal(id, title: name(of: id), body: Words.lostSignal(distance)))
    case .perhaps(let id, _, _, _): notices.post(.quiet(id, title: name(of: id), body: Words.perhaps))
    case .notice(let id):
      let body = zone(id)?.notice.map { "\($0.text)" } ?? ""
      let isReminder = zone(id).map(ReminderZone.isOne) ?? false
      notices.post(
        isReminder
          ? .reminder(id, title: name(of: id), body: body) : .quiet(id, title: name(of: id), body: body))
    case .proposal: notices.post(.proposal)
    case .ignored: break
    }
  }

  private func name(of id: ZoneID) -> String { zone(id).map { "\($0.name)" } ?? Words.alarm }

  /// Sets the alarms that ring now, and withdraws all others.
  func show(_ current: [Ringing]) {
    for former in ringing where !current.contains(where: { $0.alarm == former.alarm }) {
      withdraw(former.alarm)
    }
    let former = ringing
    ringing = current
    alarms.keepOnly(Set(current.map(\.alarm)))
    sounded.formIntersection(current.map(\.alarm))
    // Alarms that an earlier process sounded.
    for each in current where !each.isClosed && !sounded.contains(each.alarm) {
      play(each.alarm, of: each.zone)
    }
    soundOnlyOpen(former)
    look()
  }

  /// Shows a notification again that was swiped away. Swiping does not close the alarm: while it rings its
  /// notification stays, silent until the next repeat.
  func showAgain(_ alarm: AlarmID, title: String, body: String) {
    guard ringing.contains(where: { $0.alarm == alarm && !$0.isClosed }) else { return }
    notices.post(.alarm(alarm, title: title, body: body, sound: ""))
  }

  private func withdraw(_ alarm: AlarmID) {
    notices.withdraw(.alarm(alarm, title: "", body: "", sound: ""))
    alarms.end(alarm)
  }

  /// Detects system alarms that a person stopped: they sounded and no longer exist.
  func look() {
    alarms.findStopped { [weak self] alarm in
      guard let alarm else {
        self?.onTrialStopped()
        return
      }
      guard let self, ringing.contains(where: { $0.alarm == alarm && !$0.isClosed }) else { return }
      onStopped(alarm)
    }
  }

  /// Ends the sound of an alarm that was closed or is over. Another ringing alarm takes its place.
  private func soundOnlyOpen(_ former: [Ringing]) {
    guard let last, let current = ringing.first(where: { $0.alarm == last.alarm }) else { return endSound() }
    let wasClosed = former.contains { $0.alarm == last.alarm && $0.isClosed }
    if current.isClosed, !wasClosed { endSound() }
  }

  private func endSound() {
    last = nil
    guard let other = ringing.first(where: { !$0.isClosed }) else { return sound.stop() }
    play(other.alarm, of: other.zone)
  }

  /// Plays an alarm's sound. A sound without pauses is continued, not restarted.
  private func play(_ alarm: AlarmID, of zone: ZoneID) {
    let own = self.zone(zone).flatMap { AlarmTone.place(of: "\($0.soundName)") }
    guard let file = own ?? AlarmTone.url else { return }
    let now = Platform.uptime
    let former = last?.alarm == alarm ? last : nil
    last = (alarm, now)
    sounded.insert(alarm)
    let isClosed = ringing.contains { $0.alarm == alarm && $0.isClosed }
    let hasNoPause = isChosen(.untilClosed) && !isClosed
    let length = SoundPlan.length(since: former.map { now - $0.at }, untilClosed: hasNoPause)
    if hasNoPause, former != nil, sound.isHeard { return sound.prolong(by: length) }
    sound.play(file, for: length, isRising: isChosen(.rising))
  }

  /// Rings once after this many seconds, as an alarm would, even with the phone locked, for the first-run
  /// check.
  func tryOut(after seconds: Double) {
    let span = TimeSpan.seconds(max(1, min(600, seconds.isFinite ? seconds : 1)))
    notices.planTrial(after: span)
    alarms.tryOut(after: span)
  }
}
