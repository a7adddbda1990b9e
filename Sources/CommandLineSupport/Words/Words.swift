import AlarmEngine
import Foundation
import Geometry

/// The reason why an alarm rang, as the end of "rang: ...".
package func words(_ cause: Cause) -> String {
  switch cause {
  case .inside: "inside the zone"
  case .near: "within the alert distance"
  case .passed: "passed through between two fixes"
  case .dwell: "stayed inside long enough"
  case .left: "left the zone"
  case .possible: "being inside cannot be excluded"
  }
}

/// The reason why an alarm ended.
package func words(_ clearing: Clearing) -> String {
  switch clearing {
  case .left: "clear of the zone"
  case .passedThrough: "had already passed through"
  case .deactivated: "alarms switched off"
  case .zoneRemoved: "the zone was removed"
  case .zoneEdited: "the zone was redrawn elsewhere or switched off"
  case .scheduleClosed: "the zone's hours ended"
  case .reported: "the device reports again"
  }
}

/// The reason why a fix changed nothing.
package func words(_ ignored: Ignored) -> String {
  switch ignored {
  case .invalidAccuracy: "marked invalid by the phone (negative accuracy)"
  case .duplicate: "duplicate (same time, place and accuracy)"
  case .outlier: "faster than the stated maximum speed, and no later fix confirmed it"
  case .fromTheFuture: "measured later than the receiver's clock allows"
  case .tooCoarse: "less accurate than what was already known of that time"
  case .tooOld: "older than the stored state"
  }
}

/// A length as people say it: "0.4 m", "34 m", "1.20 km", "64 km".
package func lengthWords(_ distance: Distance) -> String {
  let metres = abs(distance.metres)
  if metres < 9.95 { return "\(fixedPoint(metres, decimals: 1)) m" }
  if metres < 999.5 { return "\(fixedPoint(metres, decimals: 0)) m" }
  if metres < 9_995 { return "\(fixedPoint(metres / 1000, decimals: 2)) km" }
  if metres < 99_950 { return "\(fixedPoint(metres / 1000, decimals: 1)) km" }
  return "\(fixedPoint(metres / 1000, decimals: 0)) km"
}

/// A signed distance to a zone: "34 m inside", "1.20 km away", "at the edge".
package func distanceWords(_ distance: Distance) -> String {
  if abs(distance.metres) < 0.05 { return "at the edge" }
  return "\(lengthWords(distance)) \(distance.metres < 0 ? "inside" : "away")"
}

/// The reason why an alarm rang, and the distance, without repetition: "inside the zone by 37 m".
package func ringWords(_ cause: Cause, _ distance: Distance) -> String {
  if cause == .inside, distance.metres <= -0.05 { return "\(words(cause)) by \(lengthWords(distance))" }
  return "\(words(cause)), \(distanceWords(distance))"
}

/// A length of time as people say it: "0.4 s", "42 s", "3 min 20 s", "2 h 5 min", "3 d 4 h".
package func spanWords(_ span: TimeSpan) -> String {
  let sign = span < .zero ? "-" : ""
  let milliseconds = abs(span.milliseconds)
  if milliseconds < 10_000, milliseconds % 1000 != 0 {
    return sign + fixedPoint(Double(milliseconds) / 1000, decimals: 1) + " s"
  }
  let seconds = (milliseconds + 500) / 1000
  func pair(_ large: Int64, _ largeUnit: String, _ small: Int64, _ smallUnit: String) -> String {
    small == 0 ? "\(sign)\(large) \(largeUnit)" : "\(sign)\(large) \(largeUnit) \(small) \(smallUnit)"
  }
  if seconds < 60 { return "\(sign)\(seconds) s" }
  if seconds < 3600 { return pair(seconds / 60, "min", seconds % 60, "s") }
  if seconds < 86_400 { return pair(seconds / 3600, "h", seconds / 60 % 60, "min") }
  return pair(seconds / 86_400, "d", seconds / 3600 % 24, "h")
}

/// "1 fix", "3 fixes".
package func counted(_ number: Int, _ one: String, _ many: String) -> String {
  "\(number) \(number == 1 ? one : many)"
}

/// Makes a text from outside safe for a terminal: control characters and those that change the direction of
/// writing, with which a name could forge lines of our output, become U+FFFD.
package func printable(_ text: String) -> String {
  var out = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    let category = scalar.properties.generalCategory
    let forges =
      switch category {
      case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
      case .format: scalar != "\u{200d}" && scalar != "\u{200c}"  // Joiners belong to letters and emoji.
      default: false
      }
    out.append(forges ? "\u{fffd}" : scalar)
  }
  return String(out)
}

/// The printed name of a zone; a placeholder for a zone without a name.
package func displayName(_ name: Text) -> String {
  let shown = printable(name.string)
  return shown.allSatisfy(\.isWhitespace) ? "(no name)" : shown
}
