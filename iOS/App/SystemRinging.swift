import AlarmEngine
import Foundation

#if canImport(UIKit)
  import ActivityKit
  import AlarmKit
  import SwiftUI
#else
  import AppleFakes
#endif

/// The system's alarms (AlarmKit, iOS 26.1). They override silent mode and Focus, and sound even if our
/// process does not run.
///
/// Requests to the system are made one after the other, so that an alarm is ended only after it began.
@MainActor
final class SystemRinging {
  private var last: Task<Void, Never>?
  /// Alarms that this process began and the system confirmed.
  private var begun: Set<UUID> = []
  /// Alarms that began and were ended by a person, but ring on.
  private var ended: Set<UUID> = []
  let log: SystemAlarmLog
  private var updates: Task<Void, Never>?
  /// When the last alarm of a zone was planned to alert.
  private var lastRing: Date?
  private let files: EngineFiles

  init(files: EngineFiles) {
    self.files = files
    log = SystemAlarmLog(files: files)
  }

  // MARK: The shortest cycle

  /// The least time between two system alarms of zones, in seconds. The default is the cycle of the repeats, at
  /// which no alarm waits for another zone's.
  static let cycles = 10...600
  private static let cycleName = "system-alarm-cycle"

  var cycle: Int {
    get { files.noted(as: Self.cycleName).first.flatMap { Int($0) } ?? Self.cycles.lowerBound }
    set {
      files.note(
        [String(min(max(newValue, Self.cycles.lowerBound), Self.cycles.upperBound))], as: Self.cycleName)
    }
  }

  /// The first half of each alarm's UUID marks it as ours; the second half is the alarm's id.
  nonisolated private static let mark: [UInt8] = Array("pxalarm1".utf8)

  nonisolated static func uuid(_ alarm: AlarmID) -> UUID {
    let own = (0..<8).map { UInt8(truncatingIfNeeded: alarm.rawValue >> (56 - 8 * UInt64($0))) }
    let b = mark + own
    return UUID(
      uuid: (
        b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]
      ))
  }
  nonisolated static func alarm(_ uuid: UUID) -> AlarmID? {
    let b = withUnsafeBytes(of: uuid.uuid) { Array($0) }
    guard Array(b[..<8]) == mark else { return nil }
    return AlarmID(rawValue: b[8...].reduce(0) { $0 << 8 | UInt64($1) })
  }
  /// Two ids, so that the new warning exists before the previous one is cancelled.
  nonisolated static let warnings = [
    UUID(uuidString: "70787761-726E-3031-0000-000000000001")!,
    UUID(uuidString: "70787761-726E-3031-0000-000000000002")!,
  ]
  nonisolated static let trouble = UUID(uuidString: "70787761-726E-3032-0000-000000000001")!
  nonisolated private static let trial = UUID(uuidString: "70787761-726E-3033-0000-000000000001")!

  // MARK: Alarms

  /// The time from `soon` on that is a cycle after the last ring.
  private func spaced(_ soon: Date) -> Date {
    let earliest = lastRing.map { $0.addingTimeInterval(Double(cycle)) } ?? soon
    // The clock may have been set back.
    return earliest > soon && earliest.timeIntervalSince(soon) <= Double(cycle) ? earliest : soon
  }

  /// - Parameter cameBack: called if a person had ended the alarm before.
  func ring(
    _ alarm: AlarmID, title: String, sound: String, cameBack: @escaping @MainActor @Sendable () -> Void
  ) {
    let soon = Date(timeIntervalSince1970: Platform.wallClock + 1)
    let date = cycle > Self.cycles.lowerBound ? spaced(soon) : soon
    schedule(Self.uuid(alarm), title: title, sound: sound, at: date) { [weak self] again in
      self?.lastRing = date
      if again { cameBack() }
    }
  }
  func end(_ alarm: AlarmID) { end([Self.uuid(alarm)]) }

  /// Cancels system alarms that no longer ring. An earlier process may have left them.
  func keepOnly(_ alarms: Set<AlarmID>) {
    later { ids in
      Self.cancel(ids.filter { id in Self.alarm(id).map { !alarms.contains($0) } ?? false })
    }
  }

  /// Calls `tell` for each begun alarm that no longer exists; with nil for that of the test.
  func findStopped(_ tell: @escaping @MainActor @Sendable (AlarmID?) -> Void) {
    later { [weak self] ids in
      Platform.onMain { [weak self] in
        guard let self else { return }
        for id in begun.sorted(by: { $0.uuidString < $1.uuidString }) where !ids.contains(id) {
          begun.remove(id)
          ended.insert(id)
          if let alarm = Self.alarm(id) { tell(alarm) } else if id == Self.trial { tell(nil) }
        }
      }
    }
  }

  func tryOut(after span: TimeSpan) {
    end([Self.trial])
    schedule(Self.trial, title: Words.trial, sound: AlarmTone.name, in: span)
  }
  /// Rings a system alarm, for people who refused notifications.
  func tell(_ title: String) { schedule(Self.trouble, title: title, sound: AlarmTone.name, in: .seconds(1)) }

  /// Plans the warning after `span` in place of the previous one; nil cancels it.
  func warn(after span: TimeSpan?) {
    guard let span else { return end(Self.warnings) }
    let date = Date(timeIntervalSince1970: Platform.wallClock + max(1, span.seconds))
    later { ids in
      let standing = Self.warnings.filter(ids.contains)
      guard let free = Self.warnings.first(where: { !standing.contains($0) }) else {
        // Both exist: a process ended between planning one and cancelling the other.
        Self.cancel([Self.warnings[0]])
        if await Self.schedule(Self.warnings[0], Words.asleep, AlarmTone.name, at: date) {
          Self.cancel([Self.warnings[1]])
        }
        return
      }
      if await Self.schedule(free, Words.asleep, AlarmTone.name, at: date) { Self.cancel(standing) }
    }
  }

  private func schedule(_ id: UUID, title: String, sound: String, in span: TimeSpan) {
    schedule(
      id, title: title, sound: sound, at: Date(timeIntervalSince1970: Platform.wallClock + span.seconds))
  }

  private func schedule(
    _ id: UUID, title: String, sound: String, at date: Date,
    _ done: @escaping @MainActor @Sendable (_ again: Bool) -> Void = { _ in }
  ) {
    observe()
    later { [weak self] ids in
      guard !ids.contains(id), await Self.schedule(id, title, sound, at: date) else { return }
      Platform.onMain { [weak self] in
        guard let self else { return }
        let again = !begun.insert(id).inserted || ended.contains(id)
        log.planned(id, for: date)
        done(again)
      }
    }
  }

  /// Listens for alarms that alert, from the first one that this process plans.
  private func observe() {
    guard Platform.hasSystemAlarms, updates == nil else { return }
    updates = Platform.task { [weak self] in
      #if canImport(UIKit)
        guard #available(iOS 26.1, *) else { return }
      #endif
      for await alarms in AlarmManager.shared.alarmUpdates {
        let alerting = alarms.filter { $0.state == .alerting }.map(\.id)
        Platform.onMain { [weak self] in self?.log.alerting(alerting) }
      }
    }
  }

  private func end(_ ids: [UUID]) {
    for id in ids {
      begun.remove(id)
      ended.remove(id)
    }
    later { standing in Self.cancel(ids.filter(standing.contains)) }
  }

  // MARK: The system

  /// Runs the work after all earlier requests, with the ids of all existing alarms.
  private func later(_ work: @escaping @Sendable (_ standing: [UUID]) async -> Void) {
    guard Platform.hasSystemAlarms else { return }
    let former = last
    last = Platform.task {
      await former?.value
      await work(Self.standing)
    }
  }

  nonisolated private static var standing: [UUID] {
    #if canImport(UIKit)
      guard #available(iOS 26.1, *) else { return [] }
    #endif
    return ((try? AlarmManager.shared.alarms) ?? []).map(\.id)
  }

  nonisolated private static func cancel(_ ids: [UUID]) {
    #if canImport(UIKit)
      guard #available(iOS 26.1, *) else { return }
    #endif
    for id in ids { try? AlarmManager.shared.cancel(id: id) }
  }

  nonisolated private static func schedule(_ id: UUID, _ title: String, _ sound: String, at date: Date) async
    -> Bool
  {
    #if canImport(UIKit)
      guard #available(iOS 26.1, *) else { return false }
    #endif
    // Without this check the system would ask for permission by itself, while the page may be asking.
    guard AlarmManager.shared.authorizationState != .notDetermined else { return false }
    let alert = AlarmPresentation.Alert(title: LocalizedStringResource(stringLiteral: title))
    let attributes = AlarmAttributes<NoMetadata>(
      presentation: AlarmPresentation(alert: alert), tintColor: .red)
    let configuration = AlarmManager.AlarmConfiguration<NoMetadata>.alarm(
      schedule: .fixed(date), attributes: attributes, sound: .named(sound))
    return (try? await AlarmManager.shared.schedule(id: id, configuration: configuration)) != nil
  }

  // MARK: Permission

  var isRefused: Bool { permission == .refused }
  /// True if the person was not asked yet.
  var isUndecided: Bool { permission == .undecided }

  private enum Permission { case refused, undecided, other }
  private var permission: Permission {
    guard Platform.hasSystemAlarms else { return .other }
    #if canImport(UIKit)
      guard #available(iOS 26.1, *) else { return .other }
    #endif
    switch AlarmManager.shared.authorizationState {
    case .denied: return .refused
    case .notDetermined: return .undecided
    default: return .other
    }
  }

  func ask(_ done: @escaping @MainActor @Sendable () -> Void) {
    guard Platform.hasSystemAlarms else { return done() }
    _ = Platform.task {
      await Self.request()
      Platform.onMain { done() }
    }
  }
  nonisolated private static func request() async {
    #if canImport(UIKit)
      guard #available(iOS 26.1, *) else { return }
    #endif
    _ = try? await AlarmManager.shared.requestAuthorization()
  }
}

#if canImport(UIKit)
  @available(iOS 26.1, *)
  struct NoMetadata: AlarmMetadata {}
#else
  struct NoMetadata: AlarmMetadata {}
#endif
