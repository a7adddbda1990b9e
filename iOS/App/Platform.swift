import AlarmEngine
import Foundation

#if canImport(UIKit)
  import UIKit
#else
  import AppleFakes
  import PhoneSimulator
#endif

/// Clocks, threads and folders: everything that has no fake of its own.
@MainActor
enum Platform {
  #if canImport(UIKit)
    private static let began = ContinuousClock.now

    static var now: Instant {
      Instant(millisecondsSince1970: Int64((Date().timeIntervalSince1970 * 1000).rounded()))
    }
    /// The time in seconds since 1970.
    static var wallClock: TimeInterval { Date().timeIntervalSince1970 }
    static var uptime: TimeSpan {
      let (seconds, attoseconds) = (ContinuousClock.now - began).components
      return .milliseconds(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }
    /// Runs the action after `span`, or when the process next runs. The returned closure cancels it.
    static func after(_ span: TimeSpan, _ action: @escaping () -> Void) -> () -> Void {
      nonisolated(unsafe) let action = action
      let timer = Timer(timeInterval: max(span.seconds, 0.001), repeats: false) { _ in
        MainActor.assumeIsolated { action() }
      }
      timer.tolerance = 0
      RunLoop.main.add(timer, forMode: .common)
      return { timer.invalidate() }
    }
    nonisolated static func onMain(_ action: @escaping @MainActor @Sendable () -> Void) {
      DispatchQueue.main.async { MainActor.assumeIsolated { action() } }
    }
    static func task(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never>? {
      Task.detached { await work() }
    }
    static var hasSystemAlarms: Bool { if #available(iOS 26.1, *) { true } else { false } }
    static var system: String { UIDevice.current.systemVersion }
    /// The hardware as Apple numbers it: "iPhone17,3".
    static var model: String {
      var name = utsname()
      guard uname(&name) == 0 else { return "" }
      return withUnsafeBytes(of: name.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    /// The folder for data that the system neither shows to the person nor deletes.
    static var dataFolder: URL {
      FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
        .appendingPathComponent("Proximity", isDirectory: true)
    }
    /// The folder in which the system looks for the sounds of notifications and alarms.
    static var soundFolder: URL {
      FileManager.default.urls(for: .libraryDirectory, in: .userDomainMask)[0]
        .appendingPathComponent("Sounds", isDirectory: true)
    }
    static var pageFolder: URL { Bundle.main.bundleURL.appendingPathComponent("Page", isDirectory: true) }
    /// The folder of the sounds that came with the app. The system looks there, too.
    static var bundledSounds: URL { Bundle.main.bundleURL }
    /// The person's preferred languages as tags, best first.
    static var languages: [String] { Locale.preferredLanguages }
    static var mayWrite: Bool { true }
    static func wrote() {}
  #else
    private static var environment: ApplicationEnvironment? { Phone.current?.environment }

    static var now: Instant { environment?.now ?? Instant(millisecondsSince1970: 0) }
    static var wallClock: TimeInterval { Double(now.millisecondsSince1970) / 1000 }
    static var uptime: TimeSpan { environment?.uptime ?? .zero }
    static func after(_ span: TimeSpan, _ action: @escaping () -> Void) -> () -> Void {
      let timer = environment?.after(span, action)
      return { timer?.cancel() }
    }
    nonisolated static func onMain(_ action: @escaping @MainActor @Sendable () -> Void) {
      guard let phone = Phone.current else { return }
      phone.at(phone.now) { phone in
        guard phone.isApplicationAlive else { return }
        MainActor.assumeIsolated { action() }
      }
    }
    static func task(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never>? {
      Phone.current?.task(work)
    }
    static var hasSystemAlarms: Bool {
      if case .iOS(let version)? = Phone.current?.system { version >= IOSVersion(26, 1) } else { false }
    }
    static var system: String {
      if case .iOS(let version)? = Phone.current?.system { "\(version)" } else { "" }
    }
    static var model: String { "fake" }
    private static var folder: URL {
      guard let phone = Phone.current else { preconditionFailure("no phone is running") }
      return phone.fake.folder
    }
    static var dataFolder: URL { folder.appendingPathComponent("Data", isDirectory: true) }
    static var soundFolder: URL { folder.appendingPathComponent("Sounds", isDirectory: true) }
    static var pageFolder: URL { folder.appendingPathComponent("Page", isDirectory: true) }
    static var bundledSounds: URL { folder.appendingPathComponent("Bundle", isDirectory: true) }
    static var languages: [String] { Phone.current?.fake.settings.languages ?? [] }
    static func wrote() { Phone.current?.fake.onWritten() }
    /// True if the process still runs: a process that has ended in the middle of its work writes no more.
    static var mayWrite: Bool { Phone.current?.isApplicationAlive ?? false }
  #endif
}
