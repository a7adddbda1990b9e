import AlarmEngine

/// P4, and the old form of P3: a position as parameters, in the query, a form, or a flat JSON object.
///
/// `speed` is in knots, our own `speed_ms` in metres per second. Without a time the position was measured now; without
/// a position it is a heartbeat. Any other parameter is an attribute.
enum OsmAndReport {
  static func read(_ request: PhoneRequest, into builder: inout PhoneReportBuilder) {
    let all = PhoneBody.fields(request, &builder)
    for (index, fields) in all.enumerated() where !TraccarReport.takeLocations(fields, &builder) {
      take(fields, number: all.count > 1 ? index + 1 : nil, &builder)
    }
  }

  static func take(_ fields: PhoneFields, number: Int?, _ builder: inout PhoneReportBuilder) {
    builder.claim.device = builder.claim.device ?? fields.text("id", "deviceid", "device_id")
    if let token = fields.text("notificationToken") { builder.add(.pushToken(token)) }
    var state = PhoneState()
    state.battery = builder.battery(fields["batt"], full: 100, number)
    state.isCharging = fields.flag("charge")
    state.isMock = fields.flag("mock")
    state.alarm = fields.text("alarm")
    state.attributes = fields.attributes(without: placed, &builder)

    var draft = PhoneFixDraft()
    place(fields, &draft)
    if draft.point.latitude == .missing, draft.point.longitude == .missing {
      // The upload of a push token holds nothing else.
      guard fields["notificationToken"] == nil else { return }
      builder.addHeartbeat(at: PhoneTime.instant(fields["timestamp"]), state, fields, known: placed)
      return
    }
    draft.timeMayBeArrival = true
    draft.point.time = PhoneTime.read(fields["timestamp"], milliseconds: PhoneTime.traccarMilliseconds)
    draft.point.accuracy = fields["accuracy"]?.field ?? .missing
    draft.point.hdop = fields["hdop"]?.field ?? .missing
    draft.point.speed =
      fields["speed_ms"]?.field ?? (fields["speed"]?.field ?? .missing).scaled(by: 1852.0 / 3600)
    draft.point.course = fields["bearing", "heading"]?.field ?? .missing
    draft.isInvalid = fields.flag("valid") == false
    draft.details.altitude = builder.length(fields["altitude"], "altitude", number)
    draft.details.state = state
    builder.add(draft, number: number)
  }

  /// `lat` and `lon`, or `location=lat,lon`.
  private static func place(_ fields: PhoneFields, _ draft: inout PhoneFixDraft) {
    defer {
      (draft.point.latitude, draft.point.longitude) = fields.sided(
        draft.point.latitude, draft.point.longitude)
    }
    let (latitude, longitude) = fields.place
    draft.point.latitude = latitude?.degrees ?? .missing
    draft.point.longitude = longitude?.degrees ?? .missing
    guard draft.point.latitude == .missing, draft.point.longitude == .missing,
      let text = fields["location"]?.string
    else { return }
    let separator: Character = text.contains(";") ? ";" : ","
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    // More parts may be decimal commas or something else.
    guard parts.count == 2 else {
      draft.point.latitude = .words(NumberField.excerpt(text))
      return
    }
    draft.point.latitude = .degrees(String(parts[0]))
    draft.point.longitude = .degrees(String(parts[1]))
  }

  private static let placed: Set<String> = [
    "id", "deviceid", "device_id", "timestamp", "lat", "latitude", "lon", "longitude", "lng", "location",
    "speed", "speed_ms", "bearing",
    "heading", "altitude", "accuracy", "hdop", "valid", "batt", "charge", "mock", "alarm",
    "notificationToken",
  ]
}
