import Formats

/// A line on a terminal that grows while a long file is read.
///
/// Says nothing for input that is read at once, and leaves nothing behind.
final class ProgressBar {
  private let console: Console
  private let label: String
  /// In hundredths; -1 before anything was drawn.
  private var shown = -1
  private var isDrawn = false
  private static let width = 24
  /// Smaller files are read before anybody could look.
  private static let worthShowing = 4_000_000
  private let unit: Unit

  /// What is counted.
  enum Unit { case bytes, runs }

  init(_ label: String, on console: Console, counting unit: Unit = .bytes) {
    self.label = label
    self.console = console
    self.unit = unit
  }

  /// For the readers: draws, and answers false once somebody pressed Control-C.
  func step(done: Int, total: Int?) -> Bool {
    if console.showsProgress { draw(done: done, total: total) }
    return !Interruption.isRequested
  }

  private func draw(done: Int, total: Int?) {
    guard unit == .runs || max(done, total ?? 0) >= Self.worthShowing else { return }
    let part = total.map { $0 > 0 ? min(1, Double(done) / Double($0)) : 1 }
    let step = part.map { Int($0 * 100) } ?? done / 1_000_000
    guard step != shown else { return }
    shown = step
    isDrawn = true
    let megabytes = fixedPoint(Double(done) / 1e6, decimals: 1)
    if let part, let total {
      let filled = Int(part * Double(Self.width))
      let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
      let count =
        unit == .runs
        ? "\(done) of \(total)" : "\(megabytes) of \(fixedPoint(Double(total) / 1e6, decimals: 1)) MB"
      console.whisper("\r\u{1b}[K\(label) \(bar) \(step) %  \(count)")
    } else {
      console.whisper("\r\u{1b}[K\(label)  \(megabytes) MB")
    }
  }

  /// Wipes the line.
  func finish() {
    if isDrawn { console.whisper("\r\u{1b}[K") }
    isDrawn = false
  }
}
