import AlarmEngine

/// Times as RFC 3339 writes them: "2026-11-21T11:32:05.250Z". Milliseconds are always written, the zone is always Z.
///
/// It needs no formatter of the platform, so that an instant gives the same bytes everywhere.
public enum RFC3339 {
  /// Years outside 0000 to 9999 have more digits, those before 0000 a sign, as ISO 8601 expands them; nothing traps.
  public static func string(from instant: Instant) -> String {
    String(decoding: bytes(from: instant), as: UTF8.self)
  }

  /// Reads a full date, a time with seconds and a zone ("Z" or an offset), as the RFC says.
  ///
  /// A fraction is rounded to the nearest millisecond; second 60 is the first of the next minute.
  /// - Returns: nil for anything else, and for times outside `Instant.allowed`.
  public static func instant(from string: String) -> Instant? {
    let bytes = Array(string.utf8)
    let isSeparator: (UInt8) -> Bool = { $0 == UInt8(ascii: "T") || $0 == UInt8(ascii: "t") || $0 == 0x20 }
    guard bytes.count >= 20, isSeparator(bytes[10]), bytes[4] == UInt8(ascii: "-"),
      bytes[7] == UInt8(ascii: "-"),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":")
    else { return nil }
    guard case .time(let instant, zone: .stated) = Timestamp.read(bytes[...]) else { return nil }
    return instant
  }

  private static func bytes(from instant: Instant) -> [UInt8] {
    let milliseconds = instant.millisecondsSince1970
    let days = TimestampCalendar.floorDivide(milliseconds, by: 86_400_000)
    let ofDay = Int((milliseconds % 86_400_000 + 86_400_000) % 86_400_000)
    let date = TimestampCalendar(daysSince1970: Int(days))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    func append(_ number: Int, digits: Int) {
      let text = String(number)
      for _ in 0..<max(0, digits - text.utf8.count) { bytes.append(UInt8(ascii: "0")) }
      bytes.append(contentsOf: text.utf8)
    }
    if date.year < 0 { bytes.append(UInt8(ascii: "-")) }
    append(abs(date.year), digits: 4)
    bytes.append(UInt8(ascii: "-"))
    append(date.month, digits: 2)
    bytes.append(UInt8(ascii: "-"))
    append(date.day, digits: 2)
    bytes.append(UInt8(ascii: "T"))
    append(ofDay / 3_600_000, digits: 2)
    bytes.append(UInt8(ascii: ":"))
    append(ofDay / 60_000 % 60, digits: 2)
    bytes.append(UInt8(ascii: ":"))
    append(ofDay / 1000 % 60, digits: 2)
    bytes.append(UInt8(ascii: "."))
    append(ofDay % 1000, digits: 3)
    bytes.append(UInt8(ascii: "Z"))
    return bytes
  }
}
