import AlarmEngine

/// P3: what Traccar Client sends: the old form as a query (speed in knots), the new one as JSON (metres per second,
/// -1 unknown).
///
/// Read: `traccar/traccar-client-android` ProtocolFormatter.kt, `traccar/traccar` OsmAndProtocolDecoder.java.
enum TraccarReport {
  static func read(_ request: PhoneRequest, into builder: inout PhoneReportBuilder) {
    for (index, fields) in PhoneBody.fields(request, &builder).enumerated() {
      if fields["_type"] != nil {
        OwnTracksMessage.take(.object(fields.members), number: index + 1, &builder)
      } else if fields["location"]?.members != nil || fields["location"]?.list != nil {
        identify(fields, &builder)
        takeLocations(fields, &builder)
      } else {
        OsmAndReport.take(fields, number: nil, &builder)
      }
    }
  }

  private static func identify(_ fields: PhoneFields, _ builder: inout PhoneReportBuilder) {
    builder.claim.device = builder.claim.device ?? fields.text("device_id", "id", "deviceid")
  }

  private static func takeLocations(_ fields: PhoneFields, _ builder: inout PhoneReportBuilder) {
    guard let list = fields["location"]?.list else {
      take(fields["location"] ?? .null, number: nil, &builder)
      return
    }
    for (index, location) in list.enumerated() { take(location, number: index + 1, &builder) }
  }

  private static func take(_ value: JSONValue, number: Int?, _ builder: inout PhoneReportBuilder) {
    guard let members = value.members else {
      builder.note(.error, number, "\(value.kind) found, a location expected; it is left out")
      return
    }
    let fields = PhoneFields(members)
    let state = state(fields, number, &builder)
    guard let coordinates = fields["coords"]?.members.map(PhoneFields.init) else {
      if let stray = fields["coords"] {
        builder.note(.error, number, "coords: \(stray.kind) found, an object expected")
      }
      builder.add(.heartbeat(at: PhoneTime.instant(fields["timestamp"]) ?? builder.receivedAt, state))
      return
    }
    var draft = PhoneFixDraft()
    draft.timeMayBeArrival = true
    draft.point.latitude = coordinates["latitude"]?.degrees ?? .missing
    draft.point.longitude = coordinates["longitude"]?.degrees ?? .missing
    draft.point.time = PhoneTime.read(fields["timestamp"], milliseconds: PhoneTime.traccarMilliseconds)
    draft.point.accuracy = coordinates["accuracy"]?.field ?? .missing
    draft.point.speed = coordinates["speed"]?.field ?? .missing
    draft.point.course = coordinates["heading"]?.field ?? .missing
    builder.height(
      coordinates["altitude"], "altitude", error: coordinates["altitude_accuracy"], "altitude_accuracy",
      of: &draft, number)
    draft.details.messageID = fields.text("uuid")
    draft.details.trigger = fields.text("event").map { .other(String($0.prefix(50))) }
    draft.details.state = state
    draft.details.state.attributes += coordinates.attributes(
      without: [
        "latitude", "longitude", "accuracy", "speed", "heading", "altitude", "altitude_accuracy",
      ], &builder)
    builder.add(draft, number: number)
  }

  private static func state(_ fields: PhoneFields, _ number: Int?, _ builder: inout PhoneReportBuilder)
    -> PhoneState
  {
    var state = PhoneState()
    state.battery = builder.battery(fields["battery"]?["level"], full: 1, number)
    state.isCharging = fields["battery"]?["is_charging"]?.flag
    if let activity = fields["activity"]?["type"]?.words { state.motion.append(activity) }
    state.isMock = fields.flag("mock")
    state.alarm = fields.text("alarm")
    let extras = fields["extras"]?.members.map(PhoneFields.init)
    state.attributes =
      fields.attributes(
        without: [
          "coords", "timestamp", "battery", "activity", "mock", "alarm", "uuid", "event", "extras",
          // The client's own copy of the position as a query, with its identifier in it, which may be a token.
          "_",
        ], &builder) + (extras?.attributes(without: [], &builder) ?? [])
    return state
  }
}
