import AlarmEngine
import CoreLocationWatch
import Foundation
import PhoneHost
import WebEngine

/// The engine in this process. Only this file makes it and calls it.
@MainActor
final class PhoneEngine {
  private let watch: LocationWatch

  /// - Parameters:
  ///   - contents: the state that the last process left.
  ///   - parts: all that is stored, read if the state is lost or cannot be read.
  ///   - isDamaged: called if a part of the state is lost or cannot be read. The watch goes on from the rest.
  init(
    _ contents: EngineFiles.Contents, parts: () -> [JournalExport.Part], services: PhoneServices,
    isDamaged: () -> Void
  ) {
    let policy = AnyWatch(CertifiedWatch())
    let begun = Timeline(
      device: DeviceID(rawValue: .random(in: 1...UInt64.max)), settings: .phone, zones: [], armed: false)
    var host = PhoneHost(beginning: begun, policy: policy)
    if case .kept(let snapshot, let journal) = contents {
      host =
        snapshot.flatMap { try? PhoneHost(snapshot: $0, journal: journal, policy: policy) }
        ?? PhoneHost(recovering: parts(), orBeginning: begun, policy: policy)
    }
    watch = LocationWatch(host: host, services: services)
    // Fences outlive the app's files.
    if host.isDamaged || contents == .none && watch.hasFences { isDamaged() }
  }

  var onEvents: ([Event]) -> Void {
    get { watch.onEvents }
    set { watch.onEvents = newValue }
  }
  var onRinging: ([Ringing]) -> Void {
    get { watch.onRinging }
    set { watch.onRinging = newValue }
  }
  var onWarning: (WatchWarning) -> Void {
    get { watch.onWarning }
    set { watch.onWarning = newValue }
  }

  func start(_ start: WatchEvent.Start) { watch.start(start) }
  func reporting(_ wanted: Bool) { watch.reporting(wanted) }
  func reported(_ outcome: ReportOutcome) { watch.reported(outcome) }
  func perform(_ command: Command) { watch.perform(command) }
  func cameToForeground() { watch.cameToForeground() }
  func wentToBackground() { watch.wentToBackground() }
  func willTerminate() { watch.willTerminate() }
  func notKept() { watch.notKept() }
  func conditionsChanged() { watch.conditionsChanged() }
  func zone(_ id: ZoneID) -> Zone? { watch.timeline.watched.zone(id) }
  var isArmed: Bool { watch.timeline.armed }

  func setZones(_ zones: [Zone], _ settings: Settings) { watch.watch(zones, settings) }

  /// Passes a request of the page to the engine and returns its answer, neither interpreted here.
  func ask(_ request: [UInt8]) -> [UInt8] {
    let (answer, told) = PhoneBridge.answer(request, of: watch.host)
    switch told?.input {
    case .zones(let zones, let settings)?: watch.watch(zones, settings)
    case .command(let command)?: watch.perform(command)
    case .edition(let edition)?: watch.edition(edition)
    case nil: break
    default: preconditionFailure("the page sends zones, its edition and commands of a person")
    }
    return answer
  }
}
