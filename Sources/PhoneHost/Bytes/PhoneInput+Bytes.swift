import AlarmEngine
import Geometry

/// The binary form of inputs, for platforms not written in Swift: big-endian, as Java's `DataOutputStream`
/// writes.
///
/// The time in 64 bits (milliseconds since 1970), the uptime in 64 bits (milliseconds, negative where there is none), the
/// kind in 8, then what belongs to the kind, in the order of ``PhoneInput``'s cases. A position is latitude, longitude,
/// accuracy (metres, negative: none is stated), when it was measured and received, speed (metres a second) and course
/// (degrees), both negative where there are none, a byte for the height (1: it is known, 2: so is its error, 4: it is one over
/// sea level), the height and its error (metres; 0 where there are none). A motion is followed by the time that the hardware
/// states for it (-1: none).
enum PhoneInputBytes {
  enum Kind: UInt8 {
    case started = 1
    case stopped, positions, requestFailed, fence, visit, motion, woke, capabilities, cameToForeground
    case wentToBackground, willTerminate, command, told, clockJumped
    case reporting, reported, notKept, positionSource, battery
  }

  /// More never arrive together.
  static let mostPositions = 100_000

  static func read(_ bytes: [UInt8]) throws(DataError) -> (input: PhoneInput, time: PhoneTime) {
    var reader = DataReader(bytes[...])
    let now = try reader.instant()
    let uptime = try reader.span()
    guard let kind = Kind(rawValue: try reader.byte()) else { throw .unknown }
    let input = try self.input(kind, &reader, now)
    guard reader.remaining == 0 else { throw .bytesLeft }
    return (input, PhoneTime(now: now, uptime: uptime < .zero ? nil : uptime))
  }

  private static func input(
    _ kind: Kind, _ reader: inout DataReader, _ now: Instant
  ) throws(DataError) -> PhoneInput {
    switch kind {
    case .started:
      guard let start = WatchEvent.Start(rawValue: try reader.byte()) else { throw .unknown }
      let capabilities = try reader.capabilities()
      return .started(start, capabilities, lastKnown: try reader.flag() ? try reader.fix() : nil)
    case .stopped: return .stopped
    case .positions:
      let ofRequest = try reader.flag()
      let count = try reader.count(ofAtLeast: 73)
      guard count <= mostPositions else { throw .countTooLarge }
      var fixes: [Fix] = []
      fixes.reserveCapacity(count)
      for _ in 0..<count { fixes.append(try reader.fix()) }
      return .positions(fixes, ofRequest: ofRequest)
    case .requestFailed: return .requestFailed
    case .fence: return try fence(&reader)
    case .visit:
      let arrived = try reader.flag()
      let place = try reader.place()
      return arrived ? .visitArrived(place) : .visitDeparted(place)
    case .motion:
      guard let motion = Motion(rawValue: try reader.byte()) else { throw .unknown }
      let since = Instant(millisecondsSince1970: (try reader.span()).milliseconds)
      return .motion(motion, since: since == noTime || !Instant.allowed.contains(since) ? nil : since)
    case .woke: return .woke
    case .capabilities: return .capabilities(try reader.capabilities())
    case .cameToForeground: return .cameToForeground
    case .wentToBackground: return .wentToBackground
    case .willTerminate: return .willTerminate
    case .command: return .command(try command(&reader))
    case .told: return .told(try reader.word())
    case .clockJumped:
      let span = try reader.span()
      guard ClockJump.allowed.contains(span) else { throw .outOfRange }
      return .clockJumped(by: span)
    case .reporting: return .reporting(try reader.flag())
    case .reported:
      guard let outcome = ReportOutcome(rawValue: try reader.byte()) else { throw .unknown }
      return .reported(outcome)
    case .notKept: return .notKept
    case .positionSource: return .positionSource(try reader.source())
    case .battery: return .battery(try reader.batteryLevel())
    }
  }

  /// The number that stands for no time.
  private static let noTime = Instant(millisecondsSince1970: -1)

  private static func fence(_ reader: inout DataReader) throws(DataError) -> PhoneInput {
    let id = FenceID(rawValue: try reader.word())
    switch try reader.byte() {
    case 0: return .fenceExited(id)
    case 1: return .fenceEntered(id)
    case 2: return .fenceFailed(id)
    case 3: return .fenceState(id, inside: true)
    case 4: return .fenceState(id, inside: false)
    case 5: return .fenceState(id, inside: nil)
    default: throw .unknown
    }
  }

  private static func command(_ reader: inout DataReader) throws(DataError) -> Command {
    let kind = try reader.byte()
    let alarm = AlarmID(rawValue: try reader.word())
    let until = try reader.instant()
    switch kind {
    case 0: return .activate
    case 1: return .deactivate
    case 2: return .close(alarm)
    case 3: return .sleep(alarm)
    case 4: return .sleepUntil(alarm, until)
    case 5: return .acknowledgeInside(alarm)
    case 6: return .acknowledgeForToday(alarm, until: until)
    default: throw .unknown
    }
  }
}

extension DataReader {
  fileprivate mutating func fix() throws(DataError) -> Fix {
    let place = try place()
    let accuracy = try number()
    let measured = try instant()
    let received = try instant()
    let speed = try number()
    let course = try number()
    let altitude = try altitude()
    guard accuracy <= 1e8, speed <= 1e6, course <= 1e6 else { throw .outOfRange }
    return Fix(
      position: place, accuracy: accuracy < 0 ? .unstated : .radius(.metres(accuracy)), measuredAt: measured,
      receivedAt: received, speed: speed < 0 ? nil : .metresPerSecond(speed),
      course: course < 0 ? nil : .degrees(course), altitude: altitude)
  }

  /// Reads an altitude; nil if there is none or ``Altitude`` rejects it.
  private mutating func altitude() throws(DataError) -> Altitude? {
    let flags = try byte()
    let height = try number()
    let error = try number()
    guard flags < 8 else { throw .unknown }
    guard flags & 1 != 0 else { return nil }
    return Altitude(
      metres: height, error: flags & 2 != 0 ? error : nil, reference: flags & 4 != 0 ? .seaLevel : .unknown)
  }

  fileprivate mutating func capabilities() throws(DataError) -> Capabilities {
    guard let host = Capabilities.Host(rawValue: try byte()) else { throw .unknown }
    let flags = try byte()
    guard let battery = Capabilities.Battery(rawValue: try byte()) else { throw .unknown }
    let fences = Int32(bitPattern: try half())
    let largest = try number()
    let time = try span()
    guard (0...10_000).contains(fences), (0...1e8).contains(largest), time >= .zero else { throw .outOfRange }
    var capabilities = Capabilities(
      host: host, fences: Int(fences), largestFence: .metres(largest), backgroundTime: time)
    func has(_ bit: UInt8) -> Bool { flags & bit != 0 }
    capabilities.authorized = has(1)
    capabilities.background = has(2)
    capabilities.preciseLocation = has(4)
    capabilities.gnss = has(8)
    capabilities.wifi = has(16)
    capabilities.significantChanges = has(32)
    capabilities.visits = has(64)
    capabilities.motion = has(128)
    capabilities.battery = battery
    return capabilities
  }
}
