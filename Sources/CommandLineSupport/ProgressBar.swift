import Formats

/// A line on a terminal that grows while a long file is read or replayed.
///
/// Draws nothing for short work, and is removed at the end.
package final class ProgressBar {
  private let console: Console
  private let label: String
  private let unit: Unit
  /// The share drawn, in hundredths; -1 before the first drawing.
  private var shown = -1
  private var isDrawn = false
  private static let width = 24

  package enum Unit {
    case bytes, fixes, runs, features, mails
    /// Thousandths of the whole.
    case shares

    /// Work smaller than this is done before a person could look.
    package var worthShowing: Int {
      switch self {
      case .bytes: 4_000_000
      case .fixes: 50_000
      case .runs: 4
      case .features: 20_000
      case .mails: 2
      case .shares: 1000
      }
    }
    /// "30.0 of 60.0 MB", "12000 of 600000 fixes"
    package func words(_ done: Int, of total: Int?) -> String {
      if case .shares = self { return "" }
      func amount(_ number: Int) -> String {
        switch self {
        case .bytes: fixedPoint(Double(number) / 1e6, decimals: 1)
        case .fixes, .runs, .features, .mails: String(number)
        case .shares: ""
        }
      }
      let name =
        switch self {
        case .bytes: "MB"
        case .fixes: "fixes"
        case .runs: "runs"
        case .features: "features"
        case .mails: "mails"
        case .shares: ""
        }
      return amount(done) + (total.map { " of \(amount($0))" } ?? "") + " \(name)"
    }
  }

  package init(_ label: String, in unit: Unit = .bytes, on console: Console) {
    self.label = label
    self.unit = unit
    self.console = console
  }

  /// Draws; returns false once Control-C was pressed.
  package func step(done: Int, total: Int?) -> Bool {
    if console.showsProgress { draw(done: done, total: total) }
    return !Interruption.isRequested
  }

  private func draw(done: Int, total: Int?) {
    guard max(done, total ?? 0) >= unit.worthShowing else { return }
    let part = total.map { $0 > 0 ? min(1, Double(done) / Double($0)) : 1 }
    let step = part.map { Int($0 * 100) } ?? done / (unit.worthShowing / 4)
    guard step != shown else { return }
    shown = step
    isDrawn = true
    guard let part else { return console.whisper("\r\u{1b}[K\(label)  \(unit.words(done, of: nil))") }
    let filled = Int(part * Double(Self.width))
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
    console.whisper("\r\u{1b}[K\(label) \(bar) \(step) %  \(unit.words(done, of: total))")
  }

  /// Clears the line.
  package func finish() {
    if isDrawn { console.whisper("\r\u{1b}[K") }
    isDrawn = false
  }
}
