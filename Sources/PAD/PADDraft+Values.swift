import AlarmEngine
import Geometry

/// Reads the values of single rows. An empty value counts as absent.
extension PADDraft {
  func number(_ row: PADRow, _ column: Int, _ key: PADKey, _ issues: inout [PADIssue.Kind]) -> Double? {
    if let value = row.number(column) { return value }
    // An empty cell of a spreadsheet is an absent attribute, but not a valid place.
    if !row.bytes(column).isEmpty || key == .location || key == .vertex {
      issues.append(.notANumber(key, found: row.excerpt(column)))
    }
    return nil
  }

  func flag(_ row: PADRow, _ key: PADKey, or standard: Bool, _ issues: inout [PADIssue.Kind]) -> Bool {
    if row.bytes(1).isEmpty { return standard }
    switch row.number(1) {
    case 0: return false
    case 1: return true
    case .some, nil: break
    }
    // Spreadsheets write logical cells as words.
    if row.says("true", at: 1) || row.says("yes", at: 1) { return true }
    if row.says("false", at: 1) || row.says("no", at: 1) { return false }
    issues.append(.unknownWord(key, found: row.excerpt(1)))
    return standard
  }

  /// Reads a number in the range of its field. One that is out of range counts as absent: a zone without a
  /// limit rings more often, never less. But a priority becomes the nearest one allowed, and an alert distance
  /// that is too large the largest, so that it still warns.
  func number(
    _ row: PADRow, _ key: PADKey, _ field: RangedField, _ issues: inout [PADIssue.Kind]
  ) -> Double? {
    guard let value = number(row, 1, key, &issues) else { return nil }
    let allowed = field.allowed
    let isWhole = field.unit == .wholeNumber
    if allowed.contains(value), !isWhole || value == value.rounded(.down) { return value }
    issues.append(.outOfRange(key, found: value, allowed: allowed))
    if isWhole { return max(allowed.lowerBound, min(allowed.upperBound, value)).rounded(.down) }
    return field == .alertDistance && value > 0 ? allowed.upperBound : nil
  }
}

extension PADRow {
  /// True if the value is that word, in any case of letters.
  func says(_ word: Text, at column: Int) -> Bool {
    let value = bytes(column)
    guard value.count == word.utf8.count else { return false }
    return zip(value, word.utf8).allSatisfy { PADKey.lowercased($0) == $1 }
  }
}
