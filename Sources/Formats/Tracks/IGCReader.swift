import AlarmEngine
import TrackFormats

/// IGC flight recorder files: B records with the date of HFDTE, which moves on at midnight.
///
/// The fix accuracy FXA is read if the I record declares it in B records (000 is "not known"). LAD and LOD
/// add decimals to the minutes, TDS to the seconds; GSP and TRT give speed and course. The height is that of
/// GNSS for fixes in three dimensions (A): over the ellipsoid, or over the sea with older recorders. VXA is
/// its error. Heights by pressure are skipped.
/// Source: FAI, "Technical Specification for GNSS Flight Recorders", appendix A.
struct IGCReader {
  static let expected = "B records (BhhmmssDDMMmmmNDDDMMmmmEA...) after an HFDTE record"

  private var collector: TrackFileCollector
  private var clock: TimestampDayClock
  /// Byte ranges of additional fields in B records, from 0.
  private var extensions: [String: Range<Int>] = [:]

  static func read(
    _ source: ByteSource, assumedDate: Instant?, into collector: TrackFileCollector
  ) throws -> TrackFile {
    var reader = Self(collector, assumedDate: assumedDate)
    try TrackFileLines.read(source) { line, number in reader.take(line, number) }
    return try reader.collector.finish(name: source.name, expected: expected)
  }

  private init(_ collector: TrackFileCollector, assumedDate: Instant?) {
    self.collector = collector
    clock = TimestampDayClock(today: assumedDate.map(TimestampDayClock.day(of:)))
  }

  private mutating func take(_ raw: ArraySlice<UInt8>, _ number: Int) {
    let line = raw.trimmed
    if line.first == UInt8(ascii: "B") {
      takeFix(line, number)
    } else if line.first == UInt8(ascii: "I") {
      takeExtensions(line)
    } else if line.starts(with: "HFDTE".utf8) {
      let digits = line.dropFirst(5).drop { !$0.isDigit }.prefix(6)
      guard let day = TimestampDayClock.day(ddmmyy: digits) else {
        collector.note(
          .warning, line: number,
          "date \"\(NumberField.excerpt(line.dropFirst(5)))\" found, ddmmyy expected; passed over")
        return
      }
      clock.set(today: day)
    }
  }

  /// Reads `INN` and for each field its first and last byte in a B record, from 1, and three letters.
  private mutating func takeExtensions(_ line: ArraySlice<UInt8>) {
    var rest = line.dropFirst()
    guard let count = rest.takeNumber(digits: 2...2) else { return }
    for _ in 0..<count {
      guard let first = rest.takeNumber(digits: 2...2), let last = rest.takeNumber(digits: 2...2),
        rest.count >= 3,
        first >= 36, last >= first
      else { return }
      extensions[String(decoding: rest.prefix(3), as: UTF8.self)] = (first - 1)..<last
      rest = rest.dropFirst(3)
    }
  }

  private mutating func takeFix(_ line: ArraySlice<UInt8>, _ number: Int) {
    let bytes = Array(line.prefix(256))
    guard bytes.count >= 24 else {
      collector.note(
        .error, line: number,
        "a B record of \(bytes.count) characters found, at least 35 expected; it is left out")
      return
    }
    var found = TrackFilePoint()
    found.latitude = Self.angle(
      bytes[7..<14], more: value("LAD", bytes), hemisphere: bytes[14], positive: "N", negative: "S",
      degrees: 2)
    found.longitude = Self.angle(
      bytes[15..<23], more: value("LOD", bytes), hemisphere: bytes[23], positive: "E", negative: "W",
      degrees: 3)
    // All zeros with V, a fix without height, mean that the place is unknown.
    if found.latitude == .number(0), found.longitude == .number(0), bytes.count > 24,
      bytes[24] == UInt8(ascii: "V")
    {
      found.latitude = .missing
    }
    found.time = time(bytes, number)
    if let accuracy = value("FXA", bytes), let metres = NumberField.decimal(accuracy), metres > 0 {
      found.accuracy = .number(metres)
    }
    if bytes.count >= 35, bytes[24] == UInt8(ascii: "A") { found.altitude = NumberField(bytes[30..<35]) }
    if let error = value("VXA", bytes), let metres = NumberField.decimal(error), metres > 0 {
      found.altitudeError = .number(metres)
    }
    if let speed = value("GSP", bytes) { found.speed = NumberField(speed).scaled(by: 1 / 3.6) }
    if let course = value("TRT", bytes) { found.course = NumberField(course) }
    collector.add(found, line: number)
  }

  private mutating func time(_ bytes: [UInt8], _ number: Int) -> TrackFilePoint.Time {
    guard var timeOfDay = TimestampDayClock.timeOfDay(hhmmss: bytes[1..<7]) else {
      return .words(NumberField.excerpt(bytes[1..<7]))
    }
    if var decimals = value("TDS", bytes), let fraction = decimals.takeFraction() { timeOfDay += fraction }
    if !clock.knowsDate {
      clock.set(today: 0)
      collector.note(
        .warning, line: number,
        "no HFDTE record found; the log is taken to begin on 1970-01-01 (another date can be given)")
    }
    return .read(
      clock.instant(timeOfDay: timeOfDay).map { .time($0, zone: .stated) } ?? .outOfRange,
      as: NumberField.excerpt(bytes[1..<7]))
  }

  private func value(_ name: String, _ bytes: [UInt8]) -> ArraySlice<UInt8>? {
    guard let range = extensions[name], range.upperBound <= bytes.count else { return nil }
    return bytes[range]
  }

  /// Degrees, two digits of whole minutes, three of thousandths, and `more` digits after those.
  private static func angle(
    _ digits: ArraySlice<UInt8>, more: ArraySlice<UInt8>?, hemisphere: UInt8, positive: Unicode.Scalar,
    negative: Unicode.Scalar, degrees count: Int
  ) -> NumberField {
    let start = digits.startIndex
    guard digits.allSatisfy(\.isDigit),
      hemisphere == UInt8(ascii: positive) || hemisphere == UInt8(ascii: negative),
      let degrees = NumberField.decimal(digits.prefix(count)),
      let minutes = NumberField.decimal(
        digits[(start + count)..<(start + count + 2)] + [UInt8(ascii: ".")] + digits[(start + count + 2)...]
          + (more ?? []).filter(\.isDigit)), minutes <= 60  // Loggers round up to it.
    else { return .words(NumberField.excerpt(digits + [hemisphere])) }
    let size = degrees + minutes / 60
    return .number(hemisphere == UInt8(ascii: negative) ? -size : size)
  }
}
