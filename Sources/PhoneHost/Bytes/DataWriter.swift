import AlarmEngine
import Geometry

/// Values as bytes, big-endian, as Java's `DataOutputStream` writes them: the writing half of ``DataReader``.
struct DataWriter {
  private(set) var bytes: [UInt8] = []

  mutating func byte(_ value: UInt8) { bytes.append(value) }
  mutating func flag(_ value: Bool) { byte(value ? 1 : 0) }
  mutating func half(_ value: UInt32) {
    for shift in stride(from: UInt32(24), through: 0, by: -8) {
      byte(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
  mutating func word(_ value: UInt64) {
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      byte(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
  mutating func count(_ value: Int) { half(UInt32(clamping: min(value, Int(Int32.max)))) }
  mutating func blob(_ value: [UInt8]) {
    count(value.count)
    bytes += value
  }
  mutating func text(_ value: Text) { blob(value.utf8) }
  mutating func number(_ value: Double) { word(value.bitPattern) }
  mutating func span(_ value: TimeSpan) { word(UInt64(bitPattern: value.milliseconds)) }
  mutating func instant(_ value: Instant) { word(UInt64(bitPattern: value.millisecondsSince1970)) }
  /// -1 where there is none.
  mutating func instant(orNone value: Instant?) {
    if let value { instant(value) } else { word(UInt64(bitPattern: -1)) }
  }
  mutating func place(_ value: Coordinate) {
    number(value.latitude.degrees)
    number(value.longitude.degrees)
  }

  mutating func settings(_ value: Settings) {
    for span in [
      value.alarmCycleTime, value.defaultSleepTime, value.repeatHorizon, value.positionHorizon,
      value.signalTimeout,
      value.clockAllowance,
    ] { self.span(span) }
    for length in [value.defaultRadius, value.unstatedAccuracy, value.dangerMargin] { number(length.metres) }
    number(value.maximumSpeed.metresPerSecond)
  }
}
