import AlarmEngine
import Formats
import Geometry
import Store

/// Fixes of our own page and of library clients: a JSON object with `fixes`, a list, one fix, or one fix on
/// each line.
package struct FixBatch {
  package private(set) var fixes: [StoredFix] = []
  /// The reasons why elements were left out, at most `mostIssues`.
  package private(set) var issues: [String] = []
  package private(set) var refused = 0
  /// True if fixes were sent and none can be read.
  package var isMalformed: Bool { fixes.isEmpty && refused > 0 }
  /// The number of fixes that were sent, valid or not. A body with more than `most` is refused as a whole.
  package private(set) var count = 0
  /// The status that the device sent with its positions.
  package private(set) var told: [PhoneTold] = []

  package static let mostIssues = 50
  /// The most fixes of one request.
  package static let most = 20_000

  package init(_ body: [UInt8], receivedAt: Instant) {
    let text = body.drop { $0 <= 0x20 }
    guard let first = text.first else { return }
    if first == UInt8(ascii: "["), let list = (try? JSONValue.parse(body))?.list {
      add(list, receivedAt)
      return
    }
    if first == UInt8(ascii: "{"), let value = try? JSONValue.parse(body) {
      add(value["fixes"]?.list ?? [value], receivedAt)
      return
    }
    var number = 0
    for line in text.split(separator: UInt8(ascii: "\n")) {
      number += 1
      guard line.contains(where: { $0 > 0x20 }) else { continue }
      do { add(try JSONValue.parse(Array(line)), number, receivedAt) } catch {
        refuse(number, "no JSON: \(error.message)")
      }
    }
  }

  private mutating func add(_ list: [JSONValue], _ receivedAt: Instant) {
    fixes.reserveCapacity(min(list.count, Self.most))
    for (index, value) in list.enumerated() { add(value, index + 1, receivedAt) }
  }

  private mutating func refuse(_ number: Int, _ message: String) {
    refused += 1
    if issues.count < Self.mostIssues { issues.append("\(number): \(message)") }
  }

  private mutating func add(_ value: JSONValue, _ number: Int, _ receivedAt: Instant) {
    count += 1
    // Only counted, since the body will be refused as a whole.
    guard count <= Self.most else { return }
    guard value.isObject else { return refuse(number, "\(value.kind) found, an object allowed") }
    guard let latitude = value["latitude"]?.double, let longitude = value["longitude"]?.double,
      let place = try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    else { return refuse(number, "no latitude of -90 to 90 and longitude of -180 to 180 found") }
    guard let measuredAt = Self.time(value["measured_at"]) else {
      return refuse(number, "no measured_at found: RFC 3339, or milliseconds since 1970")
    }
    let accuracy = Self.number(value["accuracy_m"], 0...1e7)
    let height = Self.number(value["altitude_m"], -1e5...1e7)
    let fix = Fix(
      position: place, accuracy: accuracy.flatMap { $0 > 0 ? .radius(.metres($0)) : nil } ?? .unstated,
      measuredAt: measuredAt, receivedAt: receivedAt,
      speed: Self.number(value["speed_m_s"], 0...1e5).map { .metresPerSecond($0) },
      course: Self.number(value["course_deg"], 0...360).map { .degrees($0) },
      altitude: height.flatMap { height in
        Altitude(
          metres: height, error: value["vertical_accuracy_m"]?.double,
          reference: value["altitude_reference"]?.string == "sea_level" ? .seaLevel : .unknown)
      })
    var status = PhoneTold(at: measuredAt)
    status.position = place
    status.altitude = height.map { .metres($0) }
    status.battery = Self.number(value["battery"], 0...1)
    if case .bool(let charging)? = value["is_charging"] { status.isCharging = charging }
    status.motion = (value["motion"]?.list ?? []).prefix(10).compactMap {
      $0.string.map { String($0.prefix(50)) }
    }
    let alarm = value["alarm"]?.string.map { String($0.prefix(50)) }
    status.isDistress = alarm.map(PhoneTold.isDistress) ?? false
    told.append(status)
    fixes.append(
      StoredFix(
        fix, altitude: status.altitude, battery: status.battery,
        detail: StoredFix.detail(charging: status.isCharging, motion: status.motion, alarm: alarm)))
  }

  private static func number(_ value: JSONValue?, _ allowed: ClosedRange<Double>) -> Double? {
    value?.double.flatMap { allowed.contains($0) ? $0 : nil }
  }

  private static func time(_ value: JSONValue?) -> Instant? {
    if let text = value?.string { return RFC3339.instant(from: text) }
    guard let number = value?.double, let milliseconds = Int64(exactly: number.rounded()) else { return nil }
    let instant = Instant(millisecondsSince1970: milliseconds)
    return Instant.allowed.contains(instant) ? instant : nil
  }
}
