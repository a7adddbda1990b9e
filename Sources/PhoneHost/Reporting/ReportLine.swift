import AlarmEngine
import Geometry

/// A position as one line of JSON, as `POST /api/v1/fixes` reads it: the platform keeps lines and sends them unread.
enum ReportLine {
  static func bytes(of fix: Fix) -> [UInt8] {
    var line = Array("{\"latitude\":".utf8)
    line.append(decimal: fix.position.latitude.degrees, places: 7)
    line += Array(",\"longitude\":".utf8)
    line.append(decimal: fix.position.longitude.degrees, places: 7)
    line += Array(",\"measured_at\":".utf8)
    line.append(whole: fix.measuredAt.millisecondsSince1970)
    if case .radius(let radius) = fix.accuracy {
      line += Array(",\"accuracy_m\":".utf8)
      line.append(decimal: radius.metres, places: 2)
    }
    if let speed = fix.speed {
      line += Array(",\"speed_m_s\":".utf8)
      line.append(decimal: speed.metresPerSecond, places: 2)
    }
    if let course = fix.course {
      line += Array(",\"course_deg\":".utf8)
      line.append(decimal: course.degrees, places: 2)
    }
    if let altitude = fix.altitude {
      line += Array(",\"altitude_m\":".utf8)
      line.append(decimal: altitude.height.metres, places: 2)
      if let error = altitude.error {
        line += Array(",\"vertical_accuracy_m\":".utf8)
        // A small one is not made none.
        line.append(decimal: max(0.01, error.metres), places: 2)
      }
      if altitude.reference == .seaLevel { line += Array(",\"altitude_reference\":\"sea_level\"".utf8) }
    }
    line += Array("}\n".utf8)
    return line
  }
}

extension [UInt8] {
  fileprivate mutating func append(whole value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    var rest = value.magnitude
    var digits: [UInt8] = []
    repeat {
      digits.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    self += digits.reversed()
  }

  /// Rounded to so many places. Printing whole numbers is enough for that, and small.
  fileprivate mutating func append(decimal value: Double, places: Int) {
    var scale: Int64 = 1
    for _ in 0..<places { scale *= 10 }
    // 10^11 and more, which no phone reports, is written as 10^11.
    let size = Int64(Swift.min(abs(value), 1e11) * Double(scale) + 0.5)
    if value < 0, size > 0 { append(UInt8(ascii: "-")) }
    append(whole: size / scale)
    append(UInt8(ascii: "."))
    var divisor = scale / 10
    while divisor > 0 {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: size / divisor % 10))
      divisor /= 10
    }
  }
}
