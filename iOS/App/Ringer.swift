import AlarmEngine
import Foundation
import PhoneHost

#if canImport(UIKit)
  import AVFAudio
#else
  import AppleTwins
#endif

/// Rings, by all the means there are: a notification, a system alarm, and the app's own sound while its process runs.
///
/// An alarm has one notification and one system alarm, both under its id, so that nothing rings twice.
@MainActor
public final class Ringer {
  var zone: (ZoneID) -> Zone? = { _ in nil }
  /// A person stopped the system's alarm.
  var onStopped: (AlarmID) -> Void = { _ in }

  private let notices: Notices
  private let alarms: SystemRinging
  private var player: AVAudioPlayer?
  private var ringing: [Ringing] = []

  init(notices: Notices, alarms: SystemRinging) {
    self.notices = notices
    self.alarms = alarms
  }

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
      alarms.ring(report.alarm, title: title, sound: sound)
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

  /// All alarms that ring now: what else still stands is taken back.
  func show(_ current: [Ringing]) {
    for former in ringing where !current.contains(where: { $0.alarm == former.alarm }) {
      withdraw(former.alarm)
    }
    ringing = current
    alarms.keepOnly(Set(current.map(\.alarm)))
    sound(current.first { !$0.isClosed })
    look()
  }

  private func withdraw(_ alarm: AlarmID) {
    notices.withdraw(.alarm(alarm, title: "", body: "", sound: ""))
    alarms.end(alarm)
  }

  /// A system alarm that sounded and is gone was stopped by hand.
  func look() {
    alarms.findStopped { [weak self] alarm in
      guard let self, ringing.contains(where: { $0.alarm == alarm && !$0.isClosed }) else { return }
      onStopped(alarm)
    }
  }

  /// The app's own sound, which only sounds while its process runs; then it also outlasts the notification's.
  private func sound(_ wanted: Ringing?) {
    guard let wanted else {
      guard let player else { return }
      player.stop()
      self.player = nil
      try? AVAudioSession.sharedInstance().setActive(false, options: [.notifyOthersOnDeactivation])
      return
    }
    let own = zone(wanted.zone).flatMap { AlarmTone.place(of: "\($0.soundName)") }
    guard player == nil, let file = own ?? AlarmTone.url else { return }
    // Playing in the background may begin only beside others' sound.
    try? AVAudioSession.sharedInstance().setCategory(.playback, mode: .default, options: [.duckOthers])
    try? AVAudioSession.sharedInstance().setActive(true)
    guard let player = try? AVAudioPlayer(contentsOf: file) else { return }
    player.numberOfLoops = -1
    player.play()
    self.player = player
  }

  /// Rings once after so many seconds, as an alarm would, also with the phone locked: for the first-run check.
  func tryOut(after seconds: Double) {
    let span = TimeSpan.seconds(max(1, min(600, seconds.isFinite ? seconds : 1)))
    notices.planTrial(after: span)
    alarms.tryOut(after: span)
  }
}
