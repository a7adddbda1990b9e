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

  func wholeNumber(_ row: PADRow, _ key: PADKey, _ issues: inout [PADIssue.Kind]) -> Int32 {
    guard let value = number(row, 1, key, &issues) else { return 0 }
    let allowed = RangedField.priority.allowed
    guard allowed.contains(value), value == value.rounded(.down) else {
      issues.append(.outOfRange(key, found: value, allowed: allowed))
      return Int32(max(allowed.lowerBound, min(allowed.upperBound, value)).rounded(.down))
    }
    return Int32(value)
  }

  func time(
    _ row: PADRow, _ key: PADKey, _ field: RangedField, _ issues: inout [PADIssue.Kind]
  ) -> TimeSpan? {
    guard let value = number(row, 1, key, &issues) else { return nil }
    guard field.allowed.contains(value) else {
      issues.append(.outOfRange(key, found: value, allowed: field.allowed))
      return nil
    }
    return .seconds(value)
  }

  /// Reads a height; nil if it is out of range, since a zone without a limit rings more often, never less.
  func height(
    _ row: PADRow, _ key: PADKey, _ field: RangedField, _ issues: inout [PADIssue.Kind]
  ) -> Distance? {
    guard let value = number(row, 1, key, &issues) else { return nil }
    guard field.allowed.contains(value) else {
      issues.append(.outOfRange(key, found: value, allowed: field.allowed))
      return nil
    }
    return .metres(value)
  }

  /// Reads a length. One out of range becomes zero, but an alert distance that is too large the largest
  /// allowed.
  func length(
    _ row: PADRow, _ key: PADKey, _ field: RangedField, _ issues: inout [PADIssue.Kind]
  ) -> Distance {
    let allowed = field.allowed
    guard let value = number(row, 1, key, &issues) else { return .zero }
    guard allowed.contains(value) else {
      issues.append(.outOfRange(key, found: value, allowed: allowed))
      // An absurd inset is ignored; an excessive alert distance still warns.
      return key == .alertDistance && value > 0 ? .metres(allowed.upperBound) : .zero
    }
    return .metres(value)
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
