import AlarmEngine
import TrackFormats

/// Reads NMEA 0183: RMC, GGA, GLL for the position, ZDA for the date, GST for the accuracy, of any talker.
///
/// Sentences of the same time of day make one fix. Checksums are verified if present. A log without dates
/// begins on the assumed day; entries before the first date in a log are dated backwards from it. The
/// accuracy is the root sum of squares of GST's standard deviations, which holds the phone 63 to 68 times in
/// 100; hdop is kept as hdop. GGA's height is over sea level if it comes with the geoid's height, and GST has
/// its standard deviation.
struct NMEAReader {
  static let expected = "sentences like $GPRMC,113205.00,A,4712.34,N,00812.34,E,..."

  /// The combined data of the sentences of one time of day.
  private struct Epoch {
    var timeOfDay: Int
    var line: Int
    var kinds: [String] = []
    var date: Int?
    var hasFix = false
    var point = TrackFilePoint()
  }
  private var collector: TrackFileCollector
  private var clock: TimestampDayClock
  private let assumedDate: Instant?
  private var epoch: Epoch?
  /// Fixes before the first date, in order.
  private var undated: [Epoch] = []
  private var saidNoChecksum = false

  static func read(
    _ source: ByteSource, assumedDate: Instant?, into collector: TrackFileCollector = TrackFileCollector()
  ) throws -> TrackFile {
    var reader = Self(collector, assumedDate: assumedDate)
    try TrackFileLines.read(source) { line, number in reader.take(line, number) }
    reader.finish()
    return try reader.collector.finish(name: source.name, expected: expected)
  }

  /// True if the text after a `$` is a sentence with a position: five letters and at least six commas.
  static func begins(_ text: ArraySlice<UInt8>) -> Bool {
    let line = text.prefix(200).prefix { $0 != 0x0a && $0 != 0x0d }
    guard let comma = line.firstIndex(of: UInt8(ascii: ",")), comma - line.startIndex == 5 else {
      return false
    }
    let kind = String(decoding: line[..<comma].suffix(3), as: UTF8.self)
    return ["RMC", "GGA", "GLL"].contains(kind) && line.count { $0 == UInt8(ascii: ",") } >= 6
  }

  private init(_ collector: TrackFileCollector, assumedDate: Instant?) {
    self.collector = collector
    self.assumedDate = assumedDate
    clock = TimestampDayClock()
  }

  private mutating func take(_ line: ArraySlice<UInt8>, _ number: Int) {
    guard let start = line.firstIndex(of: UInt8(ascii: "$")) else { return }
    guard let body = sentence(line[(start + 1)...].trimmed, number) else { return }
    let fields = body.prefix(1024).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard let address = fields.first, address.count == 5 else { return }
    func field(_ i: Int) -> ArraySlice<UInt8> { i < fields.count ? fields[i].trimmed : [] }
    switch String(decoding: address.suffix(3), as: UTF8.self) {
    case "RMC":
      begin("RMC", field(1), number)
      position(field(3), field(4), field(5), field(6), isFix: field(2).first == UInt8(ascii: "A"))
      epoch?.point.speed = NumberField(field(7)).scaled(by: 1852.0 / 3600)
      epoch?.point.course = NumberField(field(8))
      if !field(9).isEmpty { date(TimestampDayClock.day(ddmmyy: field(9)), field(9), number) }
    case "GGA":
      begin("GGA", field(1), number)
      let quality = field(6)
      position(
        field(2), field(3), field(4), field(5), isFix: !quality.isEmpty && quality.first != UInt8(ascii: "0"))
      epoch?.point.hdop = NumberField(field(8))
      // Only a height in metres, marked by an M.
      if !quality.isEmpty, quality.first != UInt8(ascii: "0"), field(10).first == UInt8(ascii: "M") {
        epoch?.point.altitude = NumberField(field(9))
        epoch?.point.altitudeReference = field(11).isEmpty ? .unknown : .seaLevel
      }
    case "GLL":
      begin("GLL", field(5), number)
      position(field(1), field(2), field(3), field(4), isFix: field(6).first != UInt8(ascii: "V"))
    case "ZDA":
      begin("ZDA", field(1), number)
      date(Self.day(field(2), field(3), field(4)), field(2) + field(3) + field(4), number)
    case "GST":
      begin("GST", field(1), number)
      if let north = NumberField(field(6)).number, let east = NumberField(field(7)).number {
        epoch?.point.accuracy = .number((north * north + east * east).squareRoot())
      }
      epoch?.point.altitudeError = NumberField(field(8))
    default: break  // Satellites in view, dilutions of precision, headings: nothing a fix holds.
    }
  }

  /// Returns the text between `$` and `*`; nil if the checksum is wrong.
  private mutating func sentence(_ line: ArraySlice<UInt8>, _ number: Int) -> ArraySlice<UInt8>? {
    guard let star = line.lastIndex(of: UInt8(ascii: "*")) else {
      if !saidNoChecksum {
        saidNoChecksum = true
        collector.note(.warning, line: number, "sentences without a checksum found; they are read unverified")
      }
      return line
    }
    let body = line[..<star]
    let sum = body.reduce(0) { $0 ^ $1 }
    let stated = String(decoding: line[(star + 1)...].prefix(2), as: UTF8.self)
    guard UInt8(stated, radix: 16) == sum else {
      let right = String(sum, radix: 16, uppercase: true)
      collector.note(
        .error, line: number, "checksum \(stated) found, \(right) expected; the sentence is left out")
      return nil
    }
    return body
  }

  /// Continues the current fix if its time is the same and it has no such sentence yet, else begins the next.
  private mutating func begin(_ kind: String, _ time: ArraySlice<UInt8>, _ number: Int) {
    guard let timeOfDay = TimestampDayClock.timeOfDay(hhmmss: time) else {
      flush()
      if !time.isEmpty {
        collector.note(
          .error, line: number,
          "time \"\(NumberField.excerpt(time))\" found, hhmmss expected; the point is left out")
      }
      return
    }
    if epoch?.timeOfDay == timeOfDay, epoch?.kinds.contains(kind) == false {
      epoch?.kinds.append(kind)
      return
    }
    flush()
    epoch = Epoch(timeOfDay: timeOfDay, line: number, kinds: [kind])
  }

  private mutating func position(
    _ latitude: ArraySlice<UInt8>, _ north: ArraySlice<UInt8>, _ longitude: ArraySlice<UInt8>,
    _ east: ArraySlice<UInt8>, isFix: Bool
  ) {
    guard isFix else { return }
    epoch?.hasFix = true
    guard epoch?.point.latitude == .missing else { return }
    epoch?.point.latitude = Self.angle(latitude, north, .latitude)
    epoch?.point.longitude = Self.angle(longitude, east, .longitude)
  }

  /// Reads an angle; a side that does not belong to the axis makes it unreadable.
  private static func angle(
    _ field: ArraySlice<UInt8>, _ side: ArraySlice<UInt8>, _ axis: Hemisphere.Axis
  ) -> NumberField {
    let angle = angle(field, negative: false)
    return angle.number == nil ? angle : Hemisphere.apply(side, to: angle, axis)
  }

  /// Reads degrees and minutes without a mark between them: the two digits before the point are minutes.
  static func angle(_ field: ArraySlice<UInt8>, negative: Bool) -> NumberField {
    guard !field.isEmpty else { return .missing }
    let point = field.firstIndex(of: UInt8(ascii: ".")) ?? field.endIndex
    guard point - field.startIndex >= 3, field.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") }),
      let degrees = NumberField.decimal(field[..<(point - 2)]),
      let minutes = NumberField.decimal(field[(point - 2)...]), minutes <= 60  // Receivers round up to it.
    else { return .words(NumberField.excerpt(field)) }
    let size = degrees + minutes / 60
    return .number(negative ? -size : size)
  }

  private mutating func date(_ day: Int?, _ field: ArraySlice<UInt8>, _ number: Int) {
    guard let day else {
      collector.note(
        .warning, line: number, "date \"\(NumberField.excerpt(field))\" found, ddmmyy expected; passed over")
      return
    }
    epoch?.date = day
  }

  private static func day(_ day: ArraySlice<UInt8>, _ month: ArraySlice<UInt8>, _ year: ArraySlice<UInt8>)
    -> Int?
  {
    var (day, month, year) = (day, month, year)
    guard let y = year.takeNumber(digits: 4...4), let m = month.takeNumber(digits: 1...2),
      let d = day.takeNumber(digits: 1...2)
    else { return nil }
    return TimestampCalendar(year: y, month: m, day: d)?.daysSince1970
  }

  private mutating func flush() {
    guard let done = epoch else { return }
    epoch = nil
    if let date = done.date, !clock.knowsDate { dateBackwards(from: done.timeOfDay, date) }
    guard clock.knowsDate || done.date != nil else {
      undated.append(done)
      return
    }
    add(done)
  }

  /// Dates the fixes before the first date, from the last to the first.
  private mutating func dateBackwards(from timeOfDay: Int, _ date: Int) {
    var today = date
    var later = timeOfDay
    for i in undated.indices.reversed() {
      if undated[i].timeOfDay > later + TimestampDayClock.day / 2 { today -= 1 }
      if undated[i].timeOfDay < later - TimestampDayClock.day / 2 { today += 1 }
      undated[i].date = today
      later = undated[i].timeOfDay
    }
    for entry in undated { add(entry) }
    undated = []
  }

  private mutating func add(_ done: Epoch) {
    var found = done.point
    let instant = clock.instant(timeOfDay: done.timeOfDay, date: done.date)
    guard done.hasFix else {
      // A sentence with only a date or an accuracy is no fix, and none is expected of it.
      if done.kinds.contains(where: { $0 == "RMC" || $0 == "GGA" || $0 == "GLL" }) {
        collector.note(
          .error, line: done.line, "the receiver says that it has no position; the point is left out")
      }
      return
    }
    found.time = .read(instant.map { .time($0, zone: .stated) } ?? .outOfRange, as: "\(done.timeOfDay) ms")
    collector.add(found, line: done.line)
  }

  private mutating func finish() {
    flush()
    guard !undated.isEmpty else { return }
    if assumedDate == nil {
      collector.note(
        .warning, line: nil,
        "no date found; the log is taken to begin on 1970-01-01 (another date can be given)")
    }
    clock.set(today: assumedDate.map(TimestampDayClock.day(of:)) ?? 0)
    for entry in undated { add(entry) }
  }
}
