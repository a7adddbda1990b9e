/// A time of day in JSON: 00:00 to 23:59, always five characters.
enum ClockTime {
  /// - Returns: the minutes after midnight; nil for any other text.
  static func minute(of text: String) -> Int? {
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && $0.allSatisfy { (48...57).contains($0) } }),
      let hour = Int(String(Substring(parts[0]))), let minute = Int(String(Substring(parts[1]))), hour < 24,
      minute < 60
    else { return nil }
    return hour * 60 + minute
  }

  /// - Parameter minute: after midnight, 0...1439.
  static func text(minute: Int) -> String {
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
    return two(minute / 60) + ":" + two(minute % 60)
  }
}
