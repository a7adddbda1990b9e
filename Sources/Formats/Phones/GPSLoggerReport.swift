import AlarmEngine

/// P5: GPSLogger's custom URL: our JSON template, or `%ALL` as a query, or a body in the shape of OwnTracks.
///
/// What GPSLogger does not know it writes as `0.0` or not at all: accuracy, altitude, speed, course and battery level of
/// zero are unknown. Speed is metres per second, `spd_kph` kilometres per hour.
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
    builder.claim.uniqueID = builder.claim.uniqueID ?? fields.text("dev", "aid")
    var state = PhoneState()
    state.battery = builder.battery(nonzero(fields["batt"]), full: 100, number)
    state.isCharging = fields.flag("chg", "ischarging")
    state.attributes = fields.attributes(without: placed, &builder)
    guard fields["lat"] != nil || fields["lon"] != nil else {
      builder.add(.heartbeat(at: PhoneTime.instant(time(fields)) ?? builder.receivedAt, state))
      return
    }
    var draft = PhoneFixDraft()
    draft.timeMayBeArrival = true
    draft.point.latitude = fields["lat"]?.field ?? .missing
    draft.point.longitude = fields["lon"]?.field ?? .missing
    draft.point.time = PhoneTime.read(time(fields))
    draft.point.accuracy = fields["acc"]?.field ?? .missing
    draft.point.hdop = fields["hdop"]?.field ?? .missing
    draft.point.speed =
      nonzero(fields["spd"])?.field ?? (nonzero(fields["spd_kph"])?.field ?? .missing).scaled(by: 1 / 3.6)
    draft.point.course = nonzero(fields["dir"])?.field ?? .missing
    draft.details.altitude = builder.length(nonzero(fields["alt"]), "alt", number)
    draft.details.satellites = builder.number(fields["sat"], "sat", number).flatMap { Int(exactly: $0) }
    draft.details.state = state
    builder.add(draft, number: number)
  }

  private static func time(_ fields: PhoneFields) -> JSONValue? {
    nonzero(fields["t"]) ?? nonzero(fields["timestamp"]) ?? fields["time", "timeoffset"]
  }

  private static func nonzero(_ value: JSONValue?) -> JSONValue? { value?.field == .number(0) ? nil : value }

  private static let placed: Set<String> = [
    "lat", "lon", "t", "timestamp", "time", "timeoffset", "acc", "hdop", "spd", "spd_kph", "dir", "alt",
    "sat",
    "batt", "chg", "ischarging", "dev", "aid",
  ]
}
