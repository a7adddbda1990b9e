/// A table with a header row that names its columns, in any order: the form in which spreadsheets export lists of
/// people.
///
/// RFC 4180, with commas or semicolons between fields; UTF-8 with or without a byte order mark; lines end in CRLF,
/// LF or CR. Names of columns ignore case. Empty lines are skipped.
package struct HeaderTable: Equatable, Sendable {
  package struct Row: Equatable, Sendable {
    /// The line where the row starts, from 1.
    package let line: Int
    fileprivate let fields: [String: String]

    /// The text in a column, without blanks at its ends; empty if the table does not have the column.
    package subscript(_ column: String) -> String { fields[column] ?? "" }
  }

  /// Why a line cannot be used.
  package struct Problem: Equatable, Sendable {
    package let line: Int
    package let message: String

    package init(line: Int, _ message: String) {
      self.line = line
      self.message = message
    }
  }

  package private(set) var rows: [Row] = []
  package private(set) var problems: [Problem] = []
  /// The columns of the table, in its order.
  package private(set) var columns: [String] = []

  /// Reads a table. A row with a problem is left out of `rows`.
  /// - Parameters:
  ///   - needed: the columns that the table must have, in lower case.
  ///   - optional: the further columns that it may have.
  ///   - most: the number of rows allowed.
  package init(_ bytes: [UInt8], needed: [String], optional: [String] = [], most: Int) {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    let bytes = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
    let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
    if let line = lines.firstIndex(where: { String(validating: $0, as: UTF8.self) == nil }) {
      problems = [Problem(line: line + 1, "bytes that are not UTF-8 found; save the table as UTF-8")]
      return
    }
    var records = Self.records(bytes, by: ",")
    let first = records.first.map(Self.names) ?? []
    if !needed.allSatisfy(first.contains) {
      let others = Self.records(bytes, by: ";")
      let names = others.first.map(Self.names) ?? []
      if names.count > 1 { records = others }
    }
    guard let header = records.first, takeHeader(header, needed, optional) else {
      if records.isEmpty {
        let columns = needed.joined(separator: ", ")
        problems = [Problem(line: 1, "no header row found; the columns \(columns) are needed")]
      }
      return
    }
    for (index, record) in records.dropFirst().enumerated() {
      guard index < most else {
        problems.append(Problem(line: record.line, "more than \(most) rows found, at most \(most) allowed"))
        return
      }
      take(record)
    }
    if records.count == 1 { problems.append(Problem(line: header.line, "no row below the header found")) }
  }

  /// - Returns: false if a column is missing, unknown or there twice; each is a problem.
  private mutating func takeHeader(
    _ header: CSVSplitter.Record, _ needed: [String], _ optional: [String]
  ) -> Bool {
    columns = Self.names(header)
    // Spreadsheets write separators after the last column that is used.
    while columns.last?.isEmpty == true { columns.removeLast() }
    let allowed = (needed + optional).joined(separator: ", ")
    var seen: Set<String> = []
    for name in columns {
      if !(needed + optional).contains(name) {
        problems.append(
          Problem(line: header.line, "a column \(Self.quoted(name)) found; allowed: \(allowed)"))
      } else if !seen.insert(name).inserted {
        problems.append(Problem(line: header.line, "the column \(name) found twice, once allowed"))
      }
    }
    for name in needed where !seen.contains(name) {
      problems.append(Problem(line: header.line, "no column \(name) found in the header; it is needed"))
    }
    return problems.isEmpty
  }

  private mutating func take(_ record: CSVSplitter.Record) {
    let texts = (0..<record.count).map { Self.text(record[$0]) }
    guard texts.dropFirst(columns.count).allSatisfy(\.isEmpty) else {
      problems.append(
        Problem(
          line: record.line, "a row of \(texts.count) fields found, \(columns.count) allowed"))
      return
    }
    if let text = texts.first(where: { $0.hasPrefix("\"") }) {
      problems.append(
        Problem(
          line: record.line,
          "a quotation mark that does not close found before \(Self.quoted(String(text.dropFirst())))"))
      return
    }
    rows.append(Row(line: record.line, fields: Dictionary(uniqueKeysWithValues: zip(columns, texts))))
  }

  /// The records that are not blank.
  private static func records(_ bytes: [UInt8], by delimiter: Unicode.Scalar) -> [CSVSplitter.Record] {
    var splitter = CSVSplitter(delimiter: UInt8(ascii: delimiter))
    var records: [CSVSplitter.Record] = []
    let keep = { (record: CSVSplitter.Record) in if !record.isBlank { records.append(record) } }
    splitter.take(bytes, keep)
    splitter.finish(keep)
    return records
  }

  private static func names(_ record: CSVSplitter.Record) -> [String] {
    (0..<record.count).map { text(record[$0]).lowercased() }
  }

  private static func text(_ field: ArraySlice<UInt8>) -> String {
    String(decoding: field.trimmed, as: UTF8.self)
  }

  private static func quoted(_ text: String) -> String { "\"\(text.prefix(60))\"" }
}
