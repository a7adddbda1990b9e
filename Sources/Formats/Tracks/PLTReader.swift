import AlarmEngine
import TrackFormats

/// OziExplorer track files, GeoLife's among them: six lines of header, then
/// `latitude, longitude, new segment, feet, days since 1899-12-30, date, time`.
///
/// Heights are feet, -777 for none. Date and time as text count if they are ISO 8601 (they are exact), else
/// the days, rounded to the millisecond.
struct PLTReader {
  static let expected = "six header lines and rows like \"47.1,8.2,0,1312,46347.4807,2026-11-21,11:32:05\""
  private static let headerLines = 6
  /// 1899-12-30 to 1970-01-01.
  private static let daysTo1970 = 25_569.0

  static func read(_ source: ByteSource, into collector: TrackFileCollector) throws -> TrackFile {
    var collector = collector
    try TrackFileLines.read(source) { line, number in
      let text = line.trimmed
      guard number > headerLines else {
        if number == 2, !isWGS84(text) {
          collector.note(
            .warning, line: 2, "datum \"\(NumberField.excerpt(text))\" found, WGS 84 expected; read as WGS 84"
          )
        }
        return
      }
      guard !text.isEmpty else { return }
      let fields = text.prefix(1024).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      func field(_ i: Int) -> ArraySlice<UInt8> { i < fields.count ? fields[i].trimmed : [] }
      var found = TrackFilePoint()
      found.latitude = NumberField(field(0))
      found.longitude = NumberField(field(1))
      found.altitude = NumberField(field(3)).scaled(by: 0.3048)
      if NumberField(field(3)) == .number(-777) { found.altitude = .missing }
      found.time = time(days: field(4), date: field(5), clock: field(6))
      collector.add(found, line: number)
    }
    return try collector.finish(name: source.name, expected: expected)
  }

  private static func time(
    days: ArraySlice<UInt8>, date: ArraySlice<UInt8>, clock: ArraySlice<UInt8>
  ) -> TrackFilePoint.Time {
    if case .time(let instant, _) = Timestamp.read(date: date, time: clock) {
      return .read(.time(instant, zone: .stated), as: "")
    }
    guard !days.isEmpty else { return date.isEmpty ? .missing : .words(NumberField.excerpt(date)) }
    guard let number = NumberField.decimal(days) else { return .words(NumberField.excerpt(days)) }
    // OziExplorer writes zero for "unknown".
    guard number != 0 else { return .missing }
    return .read(
      Timestamp.instant(milliseconds: (number - daysTo1970) * 86_400_000), as: NumberField.excerpt(days))
  }

  private static func isWGS84(_ text: ArraySlice<UInt8>) -> Bool {
    text.filter { $0 != 0x20 }.map { $0 & 0x5f }.starts(with: "WGS84".utf8.map { $0 & 0x5f })
  }
}
