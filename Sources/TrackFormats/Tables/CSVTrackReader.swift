import AlarmEngine
import ZoneFormats

/// Reads tables with a header row: comma, semicolon, tab or bar between the fields. A comma inside a field is
/// a decimal mark, unless it could separate thousands and the row's degrees have none.
///
/// Lines before the header row are skipped; `#` begins a comment. `CSVTrackColumns` has the names of columns.
package final class CSVTrackReader: TrackFormatReader {
  package let expected =
    "a header row with latitude, longitude and time (like \"lat,lon,time\") and rows of numbers"
  /// The number of bytes in which the header row is searched.
  private static let headSize = 1 << 16

  package private(set) var collector: TrackFileCollector
  private let sink: TrackPointSink?
  private var encoding = TextEncoding()
  /// The beginning of the file, until the delimiter is known.
  private var head: [UInt8] = []
  private var splitter: CSVSplitter?
  private var columns: CSVTrackColumns?
  private var rowNumbers = RowNumbers()
  /// Lines of rows that came before the header.
  private var rowsBeforeHeader: [Int] = []

  package init(_ collector: TrackFileCollector) {
    self.collector = collector
    sink = collector.sink
  }

  package func feed(_ chunk: [UInt8]) throws(ReadError) { take(encoding.decode(chunk)) }

  package func finish() throws(ReadError) {
    take(encoding.decode([], isLast: true))
    if splitter == nil { begin() }
    splitter?.finish { take($0) }
  }

  private func take(_ text: [UInt8]) {
    guard splitter == nil else {
      splitter?.take(text) { take($0) }
      return
    }
    head += text
    if head.count >= Self.headSize { begin() }
  }

  private func begin() {
    var splitter = CSVSplitter(
      delimiter: Self.delimiter(of: Array(head.prefix(Self.headSize))) ?? UInt8(ascii: ","))
    splitter.take(head) { take($0) }
    head = []
    self.splitter = splitter
  }

  /// True if one of the first rows of a text names latitude, longitude and time.
  package static func begins(_ start: [UInt8]) -> Bool {
    var encoding = TextEncoding()
    return delimiter(of: encoding.decode(start, isLast: true)) != nil
  }

  /// Returns the delimiter with which one of the first rows names latitude, longitude and time.
  private static func delimiter(of head: [UInt8]) -> UInt8? {
    let lines = head.split(maxSplits: 200) { $0 == 0x0a || $0 == 0x0d }
    for line in lines.prefix(200) {
      for delimiter in ",;\t|".utf8 where isHeader(line, delimiter) { return delimiter }
    }
    return nil
  }

  /// True if a line names latitude, longitude and time.
  package static func isHeader(_ line: ArraySlice<UInt8>, _ delimiter: UInt8) -> Bool {
    line.count < 1 << 14
      && CSVTrackColumns(header: line.split(separator: delimiter, omittingEmptySubsequences: false)) != nil
  }

  private func take(_ record: CSVSplitter.Record) {
    guard !record.isBlank else { return }
    guard let columns else {
      self.columns = CSVTrackColumns(header: (0..<record.count).map { record[$0] })
      if self.columns == nil, isRowOfNumbers(record) { rowsBeforeHeader.append(record.line) }
      if let columns = self.columns {
        tellRowsBeforeHeader()
        for index in columns.unknownUnits {
          collector.note(
            .warning, line: record.line,
            "column \"\(NumberField.excerpt(record[index].trimmed))\" found, its unit is not known; it is passed over"
          )
        }
      }
      return
    }
    guard !record.isComment else { return }
    let found = point(record, columns)
    if case .words = found.latitude, case .words = found.longitude,
      let again = CSVTrackColumns(header: (0..<record.count).map { record[$0] })
    {
      self.columns = again  // Files joined end to end repeat the header, perhaps another one.
      return
    }
    guard let point = collector.checked(found, line: record.line) else { return }
    // Only the end of the file shows if an id names devices.
    if case .perhaps = columns.device, !collector.countsOnly {
      collector.sink = nil
    } else {
      collector.sink = sink
    }
    switch columns.device {
    case .none: collector.append(point, to: "")
    case .named(let index): collector.append(point, to: TextEncoding.string(record[index].trimmed))
    case .perhaps where collector.countsOnly: collector.append(point, to: "")
    case .perhaps(let index): rowNumbers.append(point, id: record[index].trimmed, to: &collector)
    }
  }

  /// True if a record has at least two numbers, unlike titles and remarks before a header.
  private func isRowOfNumbers(_ record: CSVSplitter.Record) -> Bool {
    guard !record.isComment else { return false }
    var numbers = 0
    for index in 0..<record.count {
      if case .number = NumberField(record[index]) { numbers += 1 }
    }
    return numbers >= 2
  }

  private func tellRowsBeforeHeader() {
    guard let first = rowsBeforeHeader.first else { return }
    let others = rowsBeforeHeader.count > 1 ? " and \(rowsBeforeHeader.count - 1) more" : ""
    collector.note(
      .error, line: first,
      "a row of numbers\(others) found before the header row that names the columns; left out")
    rowsBeforeHeader = []
  }

  private func point(_ record: CSVSplitter.Record, _ columns: CSVTrackColumns) -> TrackFilePoint {
    func number(_ column: CSVTrackColumns.Column?, comma: NumberField.Comma) -> NumberField {
      guard let column else { return .missing }
      let field = NumberField(record[column.index], comma: comma)
      return column.factor == 1 ? field : field.scaled(by: column.factor)
    }
    func degrees(
      _ column: CSVTrackColumns.Column, _ hemisphere: CSVTrackColumns.HemisphereColumn?,
      _ axis: Hemisphere.Axis
    ) -> NumberField {
      let degrees = number(column, comma: column.factor == 1 ? .decimal : .decimalUnlessThousands)
      if case .words = degrees, column.factor == 1,
        let lettered = Hemisphere.degrees(record[column.index], axis)
      {
        // Letters in both places have to agree.
        guard let hemisphere, let beside = Hemisphere(record[hemisphere.index]) else {
          return hemisphere?.isUnnamed == false ? degrees : lettered
        }
        let agrees = beside.axis == axis && (lettered.number ?? 0) * (beside.isNegative ? -1 : 1) >= 0
        return agrees ? lettered : degrees
      }
      guard let hemisphere else { return degrees }
      let text = record[hemisphere.index]
      if hemisphere.isUnnamed, Hemisphere(text) == nil { return degrees }
      return Hemisphere.apply(text, to: degrees, axis)
    }
    var found = TrackFilePoint()
    found.latitude = degrees(columns.latitude, columns.northOrSouth, .latitude)
    found.longitude = degrees(columns.longitude, columns.eastOrWest, .longitude)
    let hasComma =
      columns.latitude.factor == 1
      && (record[columns.latitude.index].contains(UInt8(ascii: ","))
        || record[columns.longitude.index].contains(UInt8(ascii: ",")))
    func number(_ column: CSVTrackColumns.Column?) -> NumberField {
      number(column, comma: hasComma ? .decimal : .decimalUnlessThousands)
    }
    found.time = time(record, columns.time)
    if let received = columns.received, case .time(let instant, _) = unixOrCivil(record[received], nil) {
      found.received = instant
    }
    found.accuracy = number(columns.accuracy)
    found.speed = number(columns.speed)
    found.course = number(columns.course)
    found.hdop = number(columns.hdop)
    found.altitude = number(columns.altitude)
    found.altitudeError = number(columns.altitudeError)
    return found
  }

  private func time(_ record: CSVSplitter.Record, _ column: CSVTrackColumns.Time) -> TrackFilePoint.Time {
    switch column {
    case .single(let index, let units):
      let field = record[index].trimmed
      guard !field.isEmpty else { return .missing }
      let reading = unixOrCivil(field, units)
      if case .time = reading { return .read(reading, as: "") }
      return .read(reading, as: NumberField.excerpt(field))
    case .dateAndTime(let date, let time, let offset):
      let day = record[date].trimmed
      let clock = record[time].trimmed
      guard !day.isEmpty || !clock.isEmpty else { return .missing }
      let reading = Timestamp.read(date: day, time: clock, offset: offset.map { record[$0] } ?? [])
      if case .time = reading { return .read(reading, as: "") }
      // A "time" beside a "date" is at times the whole of it. Six digits are a time of day, and no Unix time.
      let whole = Timestamp.read(clock)
      if case .time = whole, clock.count >= 9 { return .read(whole, as: "") }
      return .read(reading, as: NumberField.excerpt(day + [0x20] + clock))
    }
  }

  private func unixOrCivil(_ field: ArraySlice<UInt8>, _ unitsPerSecond: Double?) -> Timestamp.Reading {
    if let unitsPerSecond {
      let unix = Timestamp.readUnix(field, unitsPerSecond: unitsPerSecond)
      if unix != .unreadable { return unix }
    }
    return Timestamp.read(field)
  }
}

/// Detects whether a column called "id" numbers the rows or names devices.
///
/// While it holds whole numbers, each greater than the previous one, it may do either; row numbers do so to
/// the end. At the first other value all points so far are assigned to the devices of their ids.
private struct RowNumbers {
  private var ids: [Int]? = []

  mutating func append(
    _ point: TrackFile.Point, id: ArraySlice<UInt8>, to collector: inout TrackFileCollector
  ) {
    guard let known = ids else {
      collector.append(point, to: TextEncoding.string(id))
      return
    }
    if let number = Int(String(decoding: id, as: UTF8.self)), number > known.last ?? Int.min {
      ids?.append(number)
      collector.append(point, to: "")
      return
    }
    ids = nil
    collector.renameUnnamed(known.map { String($0) })
    collector.append(point, to: TextEncoding.string(id))
  }
}
