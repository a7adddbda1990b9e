/// Columns of text, each as wide as its widest cell, two blanks apart.
package struct TextTable {
  private var rows: [[String]] = []
  /// The columns aligned to the right, by number.
  private let flushRight: Set<Int>
  /// A longer cell is truncated and ends in "…".
  private let widest: Int

  package init(flushRight: Set<Int> = [], widest: Int = 48) {
    self.flushRight = flushRight
    self.widest = widest
  }

  package mutating func add(_ cells: [String]) { rows.append(cells) }

  /// The lines without trailing blanks; the last column is never truncated.
  package var lines: [String] {
    let columns = rows.map(\.count).max() ?? 0
    let cut = rows.map { row in
      row.enumerated().map { $0.offset == row.count - 1 ? $0.element : shortened($0.element, to: widest) }
    }
    let widths = (0..<columns).map { column in
      cut.map { column < $0.count ? terminalWidth($0[column]) : 0 }.max() ?? 0
    }
    return cut.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - terminalWidth(cell))
        let isLast = column == row.count - 1
        line += flushRight.contains(column) ? padding + cell : isLast ? cell : cell + padding
        if !isLast { line += "  " }
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}

/// The number of terminal cells that a text occupies: two for East Asian wide letters and emoji, none for
/// combining marks. An estimate, since terminals differ.
package func terminalWidth(_ text: String) -> Int {
  var width = 0
  for character in text {
    guard let first = character.unicodeScalars.first else { continue }
    let isWide =
      switch first.value {
      case 0x1100...0x115f, 0x2e80...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f,
        0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1faff, 0x20000...0x3fffd:
        true
      default: false
      }
    width += isWide ? 2 : 1
  }
  return width
}

private func shortened(_ text: String, to width: Int) -> String {
  guard terminalWidth(text) > width else { return text }
  var out = ""
  var used = 1
  for character in text {
    let next = terminalWidth(String(character))
    if used + next > width { break }
    out.append(character)
    used += next
  }
  return out + "…"
}
