import AlarmEngine
import Foundation
import PhoneHost

#if canImport(UIKit)
  import UIKit
#else
  import AppleFakes
#endif

/// Records when each of the ten steps of docs/ios.md first happened on this phone, and makes the report of
/// them, with the journal, whose places are moved.
@MainActor
final class FirstRun {
  /// The steps in the order of the document.
  enum Step: String, CaseIterable {
    /// The page asked the app for something.
    case page
    /// Nothing that the app needs is missing, while alarms are armed.
    case allowed
    /// A person stopped the system alarm of the test.
    case test
    /// A zone's alarm rang with the app out of view.
    case rang
    /// It was stopped by its notification, with the app out of view.
    case stopped
    /// A person ended the system alarm, and it rang again at a later repeat.
    case cameBack
    /// An alarm rang after the first unlock since a restart, before the app was opened.
    case unlocked
    /// A person touched the warning that nothing is watched.
    case silence
    /// A trouble was told, and taken back while alarms were armed.
    case trouble
    case report
  }

  private static let name = "first-run"
  private let files: EngineFiles
  /// In ms since 1970. Nil until the files can be read: what happened before is not noted.
  private var times: [Step: Int64]?
  /// How long the page took in this process, in ms; -1 before it asked.
  private var pageTime: Int64 = -1

  init(files: EngineFiles) { self.files = files }

  /// Reads the earlier notes.
  func begin() {
    var times: [Step: Int64] = [:]
    for word in files.noted(as: Self.name) {
      let parts = word.split(separator: "=")
      guard parts.count == 2, let step = Step(rawValue: String(parts[0])), let time = Int64(parts[1]) else {
        continue
      }
      times[step] = time
    }
    self.times = times
  }

  /// Keeps the first time of a step.
  func happened(_ step: Step) {
    guard times != nil, times?[step] == nil else { return }
    times?[step] = Platform.now.millisecondsSince1970
    files.note(Set((times ?? [:]).map { "\($0.key.rawValue)=\($0.value)" }), as: Self.name)
  }

  /// The page asked for something. Its first question in this process tells how long it took.
  func pageAsked() {
    if pageTime < 0 { pageTime = Platform.uptime.milliseconds }
    happened(.page)
  }

  /// Makes the report and passes it to `done`, as JSON. Moving the journal may take seconds, so the main
  /// thread does not wait for it.
  ///
  /// - Parameter permissions: as the page gets them.
  func report(
    _ permissions: String, _ alarms: [[String: Int64]],
    _ done: @escaping @MainActor @Sendable (String) -> Void
  ) {
    happened(.report)
    let steps = Step.allCases.enumerated().map { number, step in
      let time = times?[step]
      return [
        "step": number + 1, "name": step.rawValue, "happened": time != nil, "at_ms": time ?? 0,
      ] as [String: Any]
    }
    let level = UIDevice.current.batteryLevel
    let fields: [String: Any] = [
      "form": 1, "at_ms": Platform.now.millisecondsSince1970, "version": "\(ProductVersion.text)",
      "ios": Platform.system, "maker": "Apple", "model": Platform.model, "page_ms": pageTime,
      "battery": level < 0 ? -1 : Int((level * 100).rounded()), "steps": steps, "system_alarms": alarms,
      "permissions": (try? JSONSerialization.jsonObject(with: Data(permissions.utf8))) ?? [:],
    ]
    let known =
      (try? JSONSerialization.data(withJSONObject: fields, options: [.sortedKeys])) ?? Data("{}".utf8)
    // Named first, so that a reader knows the file by its beginning; the journal, the longest, comes last.
    let begin =
      #"{"report":"proximity first run","# + String(decoding: known.dropFirst().dropLast(), as: UTF8.self)
    let journal = [UInt8](files.journalForExport)
    _ = Platform.task {
      let report = "\(begin),\(Self.moved(journal))}"
      Platform.onMain { done(report) }
    }
  }

  nonisolated private static func moved(_ journal: [UInt8]) -> String {
    var random = SystemRandomNumberGenerator()
    do {
      let moved = try MovedJournal.bytes(of: journal, using: &random)
      return #""journal":"\#(Data(moved).base64EncodedString())""#
    } catch { return #""journal_fault":"\#(error.sentence)""# }
  }
}
