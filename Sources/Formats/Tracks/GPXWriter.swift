import AlarmEngine

extension TrackFile {
  /// Encodes the tracks as GPX 1.1, one `<trk>` for each device; `read` gives back what was written.
  ///
  /// Accuracy, speed, course, a height's error and its reference, if known, and the time of receipt go into
  /// `<extensions>` under the names that Apple Health uses (`hAcc`, `speed`, `course`, `vAcc`),
  /// `eleReference` and `receivedAt`. A reader assigns all tracks of a GPX file to one device.
  public func gpx(creator: String = "proximity") -> String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="\(XMLText.escaped(creator).text)" xmlns="http://www.topografix.com/GPX/1/1">

      """
    for device in devices {
      text += "  <trk>\n"
      if !device.name.isEmpty { text += "    <name>\(XMLText.escaped(device.name).text)</name>\n" }
      text += "    <trkseg>\n"
      for point in device.points { text += GPXWriter.line(point) }
      text += "    </trkseg>\n  </trk>\n"
    }
    return text + "</gpx>\n"
  }
}

enum GPXWriter {
  fileprivate static func line(_ point: TrackFile.Point) -> String {
    let fix = point.fix
    var line = "      <trkpt lat=\"\(decimal(fix.position.latitude.degrees))\""
    line += " lon=\"\(decimal(fix.position.longitude.degrees))\">"
    if let altitude = fix.altitude { line += "<ele>\(decimal(altitude.height.metres))</ele>" }
    line += "<time>\(RFC3339.string(from: fix.measuredAt))</time>"
    if let hdop = point.hdop { line += "<hdop>\(decimal(hdop))</hdop>" }
    var extensions = ""
    if let speed = fix.speed { extensions += "<speed>\(decimal(speed.metresPerSecond))</speed>" }
    if let course = fix.course { extensions += "<course>\(decimal(course.degrees))</course>" }
    if let stated = fix.accuracy.stated { extensions += "<hAcc>\(decimal(stated.metres))</hAcc>" }
    if let error = fix.altitude?.error { extensions += "<vAcc>\(decimal(error.metres))</vAcc>" }
    if fix.altitude?.reference == .seaLevel { extensions += "<eleReference>sea_level</eleReference>" }
    if fix.receivedAt != fix.measuredAt {
      extensions += "<receivedAt>\(RFC3339.string(from: fix.receivedAt))</receivedAt>"
    }
    if !extensions.isEmpty { line += "<extensions>\(extensions)</extensions>" }
    return line + "</trkpt>\n"
  }

  /// The shortest digits that read back as the same number, without exponent: XML Schema's decimal has none.
  static func decimal(_ number: Double) -> String {
    let short = "\(number)"
    guard let e = short.firstIndex(where: { $0 == "e" || $0 == "E" }),
      let exponent = Int(short[short.index(after: e)...])
    else { return short.hasSuffix(".0") ? String(short.dropLast(2)) : short }
    let sign = short.hasPrefix("-") ? "-" : ""
    let digits = short[..<e].filter(\.isNumber)
    let whole = short[..<e].drop { $0 == "-" }.prefix { $0.isNumber }.count + exponent
    if whole <= 0 { return "\(sign)0.\(String(repeating: "0", count: -whole))\(digits)" }
    return sign + digits + String(repeating: "0", count: max(0, whole - digits.count))
  }
}
