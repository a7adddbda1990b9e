import AlarmEngine

/// P3: the requests of Traccar Client: the old form as a query (speed in knots), the new one as JSON (metres
/// per second, -1 unknown).
///
/// Transistorsoft's library, which the new form comes from, posts batches as `{"locations": [{"location":
/// {...}}]}`.
/// Read: `traccar/traccar-client-android` ProtocolFormatter.kt, `traccar/traccar` OsmAndProtocolDecoder.java.
enum TraccarReport {
  static func read(_ request: PhoneRequest, into builder: inout PhoneReportBuilder) {
    for (index, fields) in PhoneBody.fields(request, &builder).enumerated() {
      if fields["_type"] != nil {
        OwnTracksMessage.take(.object(fields.members), number: index + 1, &builder)
      } else if !takeLocations(fields, &builder) {
        OsmAndReport.take(fields, number: nil, &builder)
      }
    }
  }

  private static func identify(_ fields: PhoneFields, _ builder: inout PhoneReportBuilder) {
    builder.claim.device = builder.claim.device ?? fields.text("device_id", "id", "deviceid")
  }

  /// The positions of the new form.
  /// - Returns: false where the request is of another form.
  static func takeLocations(_ fields: PhoneFields, _ builder: inout PhoneReportBuilder) -> Bool {
    let single = fields["location"].flatMap { $0.isObject ? $0 : nil }
    let list = fields["location"]?.list ?? fields["locations"]?.list
    guard single != nil || list != nil else { return false }
    identify(fields, &builder)
    if let single { take(single, number: nil, &builder) }
    for (index, location) in (list ?? []).enumerated() { take(location, number: index + 1, &builder) }
    return true
  }

  /// A position, bare or as the member `location` of an object.
  static func take(_ value: JSONValue, number: Int?, _ builder: inout PhoneReportBuilder) {
    let value = value["location"].flatMap { $0.isObject ? $0 : nil } ?? value
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
    (draft.point.latitude, draft.point.longitude) = coordinates.sided(
      coordinates["latitude"]?.degrees ?? .missing, coordinates["longitude"]?.degrees ?? .missing)
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
