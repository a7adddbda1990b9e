import AlarmEngine
import Geometry

/// Reads Proximity Alarm Data (S132-S156), a chunk at a time.
///
/// An unreadable zone does not affect the others. An unreadable value in a zone takes its default, with an
/// error, and the zone stays armed. An unreadable place is left out, and so is its zone if the rest would be
/// another kind of area. Time is linear in the number of bytes; memory is one line, one zone, and the zones
/// not yet taken.
public struct PADReader: Sendable {
  public private(set) var zones: [Zone] = []
  /// The line at which each of `zones` begins, from 1.
  package private(set) var zoneLines: [Int] = []
  public private(set) var issues: [PADIssue] = []

  /// The most warnings listed, and the most errors; further ones are only counted.
  public static let maximumIssues = 1000
  /// The most unknown rows that one zone keeps.
  public static let maximumRows = 10_000

  private var lines = PADLines()
  private var separator = PADRow.separators[0]
  private var separatorKnown = false
  private var draft: PADDraft?
  private var ids = PADIdentifiers()
  private var lastLine = 1
  private var errorCount = 0
  private var warningCount = 0
  private var sawZone = false

  public init() {}

  public mutating func feed(_ chunk: ArraySlice<UInt8>) {
    var lines = PADLines()
    swap(&lines, &self.lines)
    lines.feed(chunk) { take($0) }
    swap(&lines, &self.lines)
  }

  /// Ends the reading; call it once, after the last chunk.
  public mutating func finish() {
    var lines = PADLines()
    swap(&lines, &self.lines)
    lines.finish { take($0) }
    if draft != nil { endZone(line: lastLine, missingEnd: true) }
    if !sawZone { report(.noZones, line: 1) }
    let errors = errorCount - Self.maximumIssues
    let warnings = warningCount - Self.maximumIssues
    if errors > 0 || warnings > 0 {
      issues.append(PADIssue(line: lastLine, kind: .more(errors: max(errors, 0), warnings: max(warnings, 0))))
    }
  }

  /// Returns and removes the zones read so far, for files too large to keep.
  public mutating func takeZones() -> [Zone] {
    let taken = zones
    zones = []
    zoneLines = []
    return taken
  }

  /// Reads a file held in memory.
  public static func read(_ bytes: [UInt8]) -> PADReader {
    var reader = Self()
    reader.feed(bytes[...])
    reader.finish()
    return reader
  }

  private mutating func report(_ kind: PADIssue.Kind, line: Int) {
    report(PADIssue(line: line, zone: draft?.zone.name ?? .empty, kind: kind))
  }

  private mutating func report(_ issue: PADIssue) {
    if issue.isError {
      errorCount += 1
      if errorCount > Self.maximumIssues { return }
    } else {
      warningCount += 1
      if warningCount > Self.maximumIssues { return }
    }
    issues.append(issue)
  }

  private mutating func take(_ line: PADLines.Line) {
    switch line {
    case .tooLong(let number, let bytes):
      lastLine = number
      report(.lineTooLong(bytes: bytes, allowed: PADLines.maximumLineLength), line: number)
    case .text(let number, let utf8, let hadControls):
      lastLine = number
      if utf8.isEmpty {
        if hadControls { report(.controlCharacters, line: number) }
        return
      }
      take(row(number, utf8), hadControls: hadControls)
    }
  }

  /// Splits a line. The file's separator is the first one after a known key, detected again at the start of
  /// each zone. A row with a known key only before another separator is split at that one.
  private mutating func row(_ number: Int, _ utf8: [UInt8]) -> PADRow {
    if separatorKnown {
      let row = PADRow(line: number, bytes: utf8, separator: separator)
      if PADKey(row.key) != nil { return row }
    }
    guard let at = utf8.firstIndex(where: { PADRow.separators.contains($0) }) else {
      return PADRow(line: number, bytes: utf8, separator: separator)
    }
    let row = PADRow(line: number, bytes: utf8, separator: utf8[at])
    guard let key = PADKey(row.key) else {
      return PADRow(line: number, bytes: utf8, separator: separatorKnown ? separator : utf8[at])
    }
    if !separatorKnown || key == .start {
      separator = utf8[at]
      separatorKnown = true
    }
    return row
  }

  private mutating func take(_ row: PADRow, hadControls: Bool) {
    if row.isBlank { return }
    let key = PADKey(row.key)
    if hadControls { report(.controlCharacters, line: row.line) }
    if row.separatorInQuotes { report(.separatorInQuotes, line: row.line) }
    switch key {
    case .start:
      if draft != nil { endZone(line: row.line, missingEnd: true) }
      sawZone = true
      draft = PADDraft(line: row.line)
    case .end:
      if draft == nil {
        report(.rowOutsideZone(key: PADRow.excerpt(row.key)), line: row.line)
      } else {
        endZone(line: row.line, missingEnd: false)
      }
    case .some, nil:
      guard draft != nil else {
        report(.rowOutsideZone(key: PADRow.excerpt(row.key)), line: row.line)
        return
      }
      if key == nil, hadControls { return }  // Binary, not a row of somebody else's.
      var found: [PADIssue.Kind] = []
      draft?.take(row, key: key, issues: &found)
      for kind in found { report(kind, line: row.line) }
    }
  }

  private mutating func endZone(line: Int, missingEnd: Bool) {
    guard let ended = draft else { return }
    if missingEnd { report(.missingEnd, line: line) }
    var found: [PADIssue.Kind] = []
    let zone = ended.finished(ids: &ids, issues: &found)
    for kind in found { report(kind, line: ended.line) }
    if let zone {
      zones.append(zone)
      zoneLines.append(ended.line)
    }
    draft = nil
  }
}
