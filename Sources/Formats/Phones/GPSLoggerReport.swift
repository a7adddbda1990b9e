import AlarmEngine

/// P5: GPSLogger's custom URL: our JSON template, `%ALL` as a query, the template that Home Assistant's documentation
/// gives (`latitude`, `longitude`, `accuracy`, `battery`, `speed`, `direction`, `altitude`), or a body in the shape of
/// OwnTracks.
///
/// GPSLogger writes an unknown value as `0.0` or leaves it out: an accuracy, altitude, speed, course or
/// battery level of zero is unknown. Speed is metres per second, `spd_kph` kilometres per hour.
/// Read: `mendhak/gpslogger`, CustomUrlManager.java.
enum GPSLoggerReport {
  static func read(_ request: PhoneRequest, into builder: inout PhoneReportBuilder) {
    let all = PhoneBody.fields(request, &builder)
    for (index, fields) in all.enumerated() {
      let number = all.count > 1 ? index + 1 : nil
      if fields["_type"] != nil {
        OwnTracksMessage.take(.object(fields.members), number: number, &builder)
      } else {
        take(fields, number, &builder)
      }
    }
  }

  private static func take(_ fields: PhoneFields, _ number: Int?, _ builder: inout PhoneReportBuilder) {
    builder.claim.uniqueID = builder.claim.uniqueID ?? fields.text("dev", "aid", "device")
    var state = PhoneState()
    state.battery = builder.battery(nonzero(fields["batt", "battery"]), full: 100, number)
    state.isCharging = fields.flag("chg", "ischarging")
    if let activity = fields.text("activity", "act") { state.motion.append(activity) }
    state.attributes = fields.attributes(without: placed, &builder)
    let (latitude, longitude) = fields.place
    guard latitude != nil || longitude != nil else {
      builder.addHeartbeat(at: PhoneTime.instant(time(fields)), state, fields, known: placed)
      return
    }
    var draft = PhoneFixDraft()
    draft.timeMayBeArrival = true
    (draft.point.latitude, draft.point.longitude) = fields.sided(
      latitude?.degrees ?? .missing, longitude?.degrees ?? .missing)
    draft.point.time = PhoneTime.read(time(fields))
    draft.point.accuracy = fields["acc", "accuracy"]?.field ?? .missing
    draft.point.hdop = fields["hdop"]?.field ?? .missing
    draft.point.speed =
      nonzero(fields["spd", "speed"])?.field
      ?? (nonzero(fields["spd_kph"])?.field ?? .missing).scaled(by: 1 / 3.6)
    draft.point.course = nonzero(fields["dir", "direction"])?.field ?? .missing
    draft.details.altitude = builder.length(nonzero(fields["alt", "altitude"]), "alt", number)
    draft.details.satellites = builder.number(fields["sat"], "sat", number).flatMap { Int(exactly: $0) }
    draft.details.state = state
    builder.add(draft, number: number)
  }

  private static func time(_ fields: PhoneFields) -> JSONValue? {
    nonzero(fields["t"]) ?? nonzero(fields["timestamp"]) ?? fields["time", "timeoffset"]
  }

  private static func nonzero(_ value: JSONValue?) -> JSONValue? { value?.field == .number(0) ? nil : value }

  private static let placed: Set<String> = [
    "lat", "latitude", "lon", "longitude", "lng", "t", "timestamp", "time", "timeoffset", "acc", "accuracy",
    "hdop", "spd", "speed", "spd_kph", "dir", "direction", "alt", "altitude", "sat", "batt", "battery", "chg",
    "ischarging", "dev", "aid", "device", "activity", "act",
  ]
}
