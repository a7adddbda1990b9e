import AlarmEngine
import CoreLocationWatch
import Foundation
import PhoneHost

#if canImport(UIKit)
  import UIKit
#else
  import AppleFakes
#endif

/// The app: connects the engine, which makes all decisions, with the phone's means to ring, ask and show.
@MainActor
public final class AlarmClock {
  public let files: EngineFiles
  public let page: PageController
  let ringer: Ringer
  let conditions: Conditions
  let firstRun: FirstRun
  private let notices: Notices
  private let silence: SilenceWarning
  private let motion = MotionWatch()
  private let background: BackgroundWork
  private let bridge: PageBridge
  /// Nil until its files can be read, like the engine.
  private(set) var reports: Reports?
  /// Nil until its files can be read.
  private(set) var engine: PhoneEngine?
  /// True if the page is in front. Only then it is notified of changes; otherwise it asks when it comes to
  /// the front.
  private var isInFront = false
  /// True if the phone was restarted and unlocked, and nobody has opened the app since.
  private var isAfterUnlock = false
  private var unlockObserver: (any NSObjectProtocol)?

  public init() {
    Translations.choose()
    files = EngineFiles(folder: Platform.dataFolder)
    notices = Notices()
    let alarms = SystemRinging(files: files)
    firstRun = FirstRun(files: files)
    ringer = Ringer(notices: notices, alarms: alarms, files: files)
    silence = SilenceWarning(notices: notices, alarms: alarms)
    conditions = Conditions(notices: notices, alarms: alarms, files: files)
    background = BackgroundWork(named: "watch")
    bridge = PageBridge()
    page = PageController(files: PageFiles(folder: Platform.pageFolder), bridge: bridge)
  }

  /// Sets everything up. Must be called before the launch is over, since the system's events follow at once.
  /// An app with scenes is in the background at every launch; if a person opens it, the scene comes to the
  /// foreground next (``cameToForeground()``).
  func launched() {
    bridge.clock = self
    files.onProblem = { [unowned self] in
      notices.post(.files(Words.filesFail($0)))
      engine?.notKept()
    }
    notices.onAnswer = { [unowned self] in answered($0, with: $1) }
    notices.onSwiped = { [unowned self] in ringer.showAgain($0, title: $1, body: $2) }
    notices.begin()
    ringer.zone = { [unowned self] in engine?.zone($0) }
    ringer.onStopped = { [unowned self] in engine?.perform(.close($0)) }
    ringer.onSound = { [unowned self] in rang() }
    ringer.onCameBack = { [unowned self] in firstRun.happened(.cameBack) }
    ringer.onTrialStopped = { [unowned self] in firstRun.happened(.test) }
    notices.onSilenceTouched = { [unowned self] in firstRun.happened(.silence) }
    conditions.onTakenBack = { [unowned self] in firstRun.happened(.trouble) }
    conditions.onChange = { [unowned self] in
      engine?.conditionsChanged()
      page.tell(.onpermissions)
    }
    conditions.onLooked = { [unowned self] in
      if conditions.hasAll, engine?.isArmed ?? false { firstRun.happened(.allowed) }
    }
    conditions.isWatching = { [unowned self] in engine?.isArmed ?? false }
    background.onTime = { [unowned self] in look() }
    background.begin()
    startEngine(.relaunch)
    conditions.begin()
  }

  private func startEngine(_ start: WatchEvent.Start) {
    let contents = files.read()
    guard contents != .locked else { return awaitUnlock() }
    firstRun.begin()
    isAfterUnlock = start == .reboot && !isInFront
    let reports = makeReports()
    self.reports = reports
    let engine = PhoneEngine(
      contents, parts: { files.parts }, services: services,
      isDamaged: { notices.post(.files(Words.filesDamaged)) })
    self.engine = engine
    engine.onEvents = { [unowned self] in ringer.tell($0) }
    engine.onRinging = { [unowned self] in ringer.show($0) }
    engine.onWarning = { [unowned self, unowned engine] warning in
      notices.post(.warning(Words.warning(warning) { engine.zone($0)?.name }))
    }
    if reports.isOn { engine.reporting(true) }
    engine.start(start)
  }

  private func makeReports() -> Reports {
    let reports = Reports(folder: Platform.dataFolder.appendingPathComponent("Reports", isDirectory: true))
    reports.onOutcome = { [unowned self] in engine?.reported($0) }
    reports.onProblem = { [unowned self] in notices.post(.files(Words.filesFail($0))) }
    reports.onBlocked = { [unowned self] in tell(blocked: $0) }
    return reports
  }

  private static let blocked = "refusal"
  /// Shows a notification once, not at each attempt.
  private func tell(blocked: Reports.Blocked?) {
    let (note, words): (Set<String>, String) =
      switch blocked {
      case nil: ([], "")
      case .refused: (["refusal"], Words.reportsRefusedBody)
      case .keychain(let status): (["keychain"], Words.reportsWithoutToken(status))
      }
    guard files.noted(as: Self.blocked) != note else { return }
    files.note(note, as: Self.blocked)
    note.isEmpty ? notices.withdraw(.reportsEnd("")) : notices.post(.reportsEnd(words))
  }

  /// Waits for the first unlock. Between a restart of the phone and that unlock nothing can be read, so
  /// nothing is watched.
  private func awaitUnlock() {
    notices.post(.files(Words.unlock))
    unlockObserver = NotificationCenter.default.addObserver(
      forName: UIApplication.protectedDataDidBecomeAvailableNotification, object: nil, queue: nil
    ) { [weak self] _ in
      Platform.onMain { [weak self] in
        guard let self, engine == nil else { return }
        startEngine(.reboot)
        if engine != nil { notices.withdraw(.files("")) }
      }
    }
  }

  private var services: PhoneServices {
    PhoneServices(
      now: { Platform.now }, uptime: { Platform.uptime }, after: { Platform.after($0, $1) },
      hasMotion: MotionWatch.isAvailable, watchMotion: { [motion] in motion.watch($0) },
      holdBackground: { [background] in background.hold() },
      releaseBackground: { [background] in background.release() },
      warnIfSilent: { [silence] in silence.plan($0) },
      keep: { [unowned self] in
        files.keep($0)
        if isInFront { page.tell(.onchange) }
      },
      reports: .init(
        keep: { [unowned self] in reports?.keep($0) },
        send: { [unowned self] done in reports.map { $0.send(done) } ?? done(.failed) }),
      battery: { [conditions] in conditions.battery },
      batteryLevel: { [conditions] in conditions.batteryLevel })
  }

  // MARK: Events of the app

  func cameToForeground() {
    isInFront = true
    isAfterUnlock = false
    conditions.isInFront = true
    engine?.cameToForeground()
    look()
  }
  func wentToBackground() {
    isInFront = false
    conditions.isInFront = false
    engine?.wentToBackground()
    conditions.look()
    background.plan()
  }
  func willTerminate() { engine?.willTerminate() }

  /// Checks everything that could have changed unnoticed.
  private func look() {
    conditions.look()
    ringer.look()
    engine?.conditionsChanged()
  }

  private func answered(_ alarm: AlarmID, with answer: Notices.Answer) {
    if answer == .stop, !isInFront { firstRun.happened(.stopped) }
    switch answer {
    case .stop: engine?.perform(.acknowledgeInside(alarm))
    case .sleep: engine?.perform(.sleep(alarm))
    case .close: engine?.perform(.close(alarm))
    }
  }

  private func rang() {
    guard !isInFront else { return }
    firstRun.happened(.rang)
    if isAfterUnlock { firstRun.happened(.unlocked) }
  }

  // MARK: Requests of the page

  func reportFirstRun(_ done: @escaping @MainActor @Sendable (String) -> Void) {
    firstRun.report(permissions, ringer.systemAlarms, done)
  }

  func ask(_ request: [UInt8]) -> [UInt8] { engine?.ask(request) ?? [] }

  /// The permissions, and the conditions that keep alarms from ringing, as JSON.
  var permissions: String {
    let troubles = Trouble.allCases.filter(conditions.troubles.contains).map { trouble in
      ["trouble": trouble.rawValue, "title": Words.title(of: trouble), "text": Words.body(of: trouble)]
    }
    let (found, undecided) = (conditions.troubles, conditions.undecided)
    let mayLocate = !found.contains(.locationRefused) && !undecided.contains(.location)
    var all: [String: Any] = [
      "ios": Platform.system, "location": mayLocate,
      "precise": !found.contains(.approximateLocation),
      "background": mayLocate && !found.contains(.onlyWhileInUse),
      "notifications": !found.contains(.notificationsOff) && !undecided.contains(.notifications),
      "watching": engine?.isArmed ?? false,
      "locked": engine == nil, "troubles": troubles,
    ]
    if Platform.hasSystemAlarms {
      all["alarms"] = !found.contains(.alarmsRefused) && !undecided.contains(.alarms)
    }
    let json = try? JSONSerialization.data(withJSONObject: all, options: [.sortedKeys])
    return json.map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  // MARK: Positions for a server

  /// Sends positions to the server from now on; empty strings stop that.
  func report(to address: String, _ token: String) {
    guard let reports, reports.change(address, token) else { return }
    engine?.reporting(reports.isOn)
  }

  func awaitCarriedReports(_ done: @escaping () -> Void) {
    guard let reports else { return done() }
    reports.awaitCarried(done)
  }

  // MARK: Files of others

  private var file: (name: String, bytes: Data)?

  /// Receives a file of zones or a track from another app. The page takes it when it is ready.
  func opened(_ url: URL) {
    let isLent = url.startAccessingSecurityScopedResource()
    defer { if isLent { url.stopAccessingSecurityScopedResource() } }
    guard let bytes = try? Data(contentsOf: url) else { return }
    file = (url.lastPathComponent, bytes)
    page.tell(.onfile)
  }

  /// Returns the file as JSON with name and base64; empty if there is none. It is returned once.
  func takeFile() -> String {
    guard let taken = file else { return "" }
    file = nil
    let fields = ["name": taken.name, "type": "", "base64": taken.bytes.base64EncodedString()]
    let json = try? JSONSerialization.data(withJSONObject: fields, options: [.sortedKeys])
    return json.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
