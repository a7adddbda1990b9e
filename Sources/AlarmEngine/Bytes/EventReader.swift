import Geometry

/// The reading half of `EventBytes` and of snapshots: every number is checked before it becomes a value.
struct EventReader {
  private let bytes: [UInt8]
  private(set) var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var remaining: Int { bytes.count - offset }

  /// Three times, a kind and the number of lines of an empty proposal: no event takes fewer bytes.
  static let leastEvent = 3 * 8 + 1 + 4

  mutating func event() throws(EventBytesError) -> Event {
    let time = try instant()
    let decidedAt = try instant()
    let learnedAt = try instant()
    return Event(time: time, decidedAt: decidedAt, learnedAt: learnedAt, kind: try kind())
  }

  private mutating func kind() throws(EventBytesError) -> Event.Kind {
    switch try named(.kind, EventKindByte.init(rawValue:)) {
    case .alarm: return .alarm(try report())
    case .repeat: return .repeat(try report())
    case .cleared:
      let report = try report()
      return .cleared(report, try named(.clearing, Clearing.init(rawValue:)))
    case .missedSignal:
      let zone = ZoneID(rawValue: try word())
      let distance = try distance()
      return .missedSignal(zone: zone, distance: distance, position: try coordinate())
    case .ignored:
      let fix = try fix()
      return .ignored(fix, try named(.ignored, Ignored.init(rawValue:)))
    case .perhaps:
      let zone = ZoneID(rawValue: try word())
      let distance = try distance()
      let place = try coordinate()
      return .perhaps(
        zone: zone, distance: distance, position: place, probability: try double(.probability, in: 0...1))
    case .notice: return .notice(zone: ZoneID(rawValue: try word()))
    case .proposal: return .proposal(try proposal())
    }
  }

  mutating func byte() throws(EventBytesError) -> UInt8 {
    try need(1)
    offset += 1
    return bytes[offset - 1]
  }

  /// All bytes that are left.
  mutating func rest() -> [UInt8] {
    defer { offset = bytes.count }
    return Array(bytes[offset...])
  }

  /// Reads a number of elements of at least `least` bytes each, and refuses it if the bytes left cannot hold
  /// them.
  mutating func count(ofAtLeast least: Int) throws(EventBytesError) -> Int {
    let start = offset
    try need(4)
    var bits: UInt32 = 0
    for place in 0..<4 { bits |= UInt32(bytes[offset + place]) << UInt32(8 * place) }
    offset += 4
    let room = remaining / least
    guard bits <= UInt32(clamping: room) else {
      throw EventBytesError(.countTooLarge(given: Int(clamping: bits)), at: start)
    }
    return Int(bits)
  }

  private func need(_ count: Int) throws(EventBytesError) {
    guard remaining >= count else {
      throw EventBytesError(.endsEarly(needed: count, left: remaining), at: offset)
    }
  }

  mutating func word() throws(EventBytesError) -> UInt64 {
    try need(8)
    var value: UInt64 = 0
    for place in 0..<8 { value |= UInt64(bytes[offset + place]) << UInt64(8 * place) }
    offset += 8
    return value
  }

  mutating func double(
    _ field: EventBytesError.Field, in range: ClosedRange<Double>
  ) throws(EventBytesError) -> Double {
    let start = offset
    let value = Double(bitPattern: try word())
    guard range.contains(value) else { throw EventBytesError(.numberOutOfRange(field), at: start) }
    return value
  }

  static let finite = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
  static let notNegative = 0...Double.greatestFiniteMagnitude
  private static let altitudeErrors = Double.leastNonzeroMagnitude...Altitude.greatestError

  mutating func distance() throws(EventBytesError) -> Distance {
    .metres(try double(.distance, in: Self.finite))
  }

  /// Reads the raw value of a case.
  mutating func named<Value>(
    _ field: EventBytesError.Field, _ value: (UInt8) -> Value?
  ) throws(EventBytesError) -> Value {
    let start = offset
    let number = try byte()
    guard let value = value(number) else {
      throw EventBytesError(.unknown(field, given: number), at: start)
    }
    return value
  }

  mutating func instant() throws(EventBytesError) -> Instant {
    let start = offset
    let milliseconds = Int64(bitPattern: try word())
    let instant = Instant(millisecondsSince1970: milliseconds)
    guard Instant.allowed.contains(instant) else {
      throw EventBytesError(.timeOutOfRange(given: milliseconds), at: start)
    }
    return instant
  }

  mutating func coordinate() throws(EventBytesError) -> Coordinate {
    let start = offset
    let latitude = Double(bitPattern: try word())
    let longitude = Double(bitPattern: try word())
    guard abs(latitude) <= 90 else { throw EventBytesError(.latitudeOutOfRange, at: start) }
    guard abs(longitude) <= 180 else { throw EventBytesError(.longitudeOutOfRange, at: start + 8) }
    return Coordinate(latitude: .degrees(latitude), longitude: .degrees(longitude))
  }

  private mutating func text() throws(EventBytesError) -> Text {
    let length = try count(ofAtLeast: 1)
    offset += length
    return Text(utf8: Array(bytes[(offset - length)..<offset]))
  }

  mutating func isPresent(_ field: EventBytesError.Field) throws(EventBytesError) -> Bool {
    let start = offset
    let flag = try byte()
    guard flag <= 1 else { throw EventBytesError(.unknown(field, given: flag), at: start) }
    return flag == 1
  }

  private mutating func report() throws(EventBytesError) -> AlarmReport {
    let alarm = AlarmID(rawValue: try word())
    let zone = ZoneID(rawValue: try word())
    let cause = try named(.cause, Cause.init(rawValue:))
    let distance = try distance()
    return AlarmReport(alarm: alarm, zone: zone, cause: cause, distance: distance, position: try coordinate())
  }

  mutating func fix() throws(EventBytesError) -> Fix {
    let position = try coordinate()
    let accuracy: Fix.Accuracy = try isPresent(.accuracy) ? .radius(try distance()) : .unstated
    let measuredAt = try instant()
    let receivedAt = try instant()
    let speed: Speed? =
      try isPresent(.presence) ? .metresPerSecond(try double(.speed, in: Self.notNegative)) : nil
    let start = offset
    let flags = try byte()
    guard flags <= 3 else {
      throw EventBytesError(.unknown(.presence, given: flags), at: start)
    }
    let course: Angle? = flags & 1 != 0 ? .degrees(try double(.course, in: Self.finite)) : nil
    let altitude = flags & 2 != 0 ? try altitude() : nil
    return Fix(
      position: position, accuracy: accuracy, measuredAt: measuredAt, receivedAt: receivedAt, speed: speed,
      course: course, altitude: altitude)
  }

  private mutating func altitude() throws(EventBytesError) -> Altitude {
    let start = offset
    let height = try double(.altitude, in: Altitude.allowed)
    let reference = try named(.altitude, Altitude.Reference.init(rawValue:))
    let error: Double? = try isPresent(.presence) ? try double(.altitude, in: Self.altitudeErrors) : nil
    guard let altitude = Altitude(metres: height, error: error, reference: reference) else {
      throw EventBytesError(.numberOutOfRange(.altitude), at: start)
    }
    return altitude
  }

  private mutating func proposal() throws(EventBytesError) -> MessageProposal {
    // Five texts, each preceded by its length in four bytes.
    let count = try count(ofAtLeast: 5 * 4)
    var lines: [MessageProposal.Line] = []
    lines.reserveCapacity(count)
    for _ in 0..<count {
      let zone = try text()
      let yourMoniker = try text()
      let toMoniker = try text()
      let contactNumber = try text()
      let message = Message(
        yourMoniker: yourMoniker, toMoniker: toMoniker, contactNumber: contactNumber, supplement: try text())
      lines.append(MessageProposal.Line(zone: zone, message: message))
    }
    return MessageProposal(lines: lines)
  }
}
