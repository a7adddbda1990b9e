import AlarmEngine
import Foundation

/// P1: the posts of OwnTracks, one message a request.
///
/// Identity: the credentials' user, then `?u=&d=`, then `X-Limit-U` and `X-Limit-D`, then the topic
/// `owntracks/<u>/<d>`, then `owntracks` and `phone` as OwnTracks Recorder has it.
/// Read: the OwnTracks booklet, "JSON" and "HTTP"; the sources of Recorder and of both apps.
enum OwnTracksMessage {
  static func read(_ request: PhoneRequest, into builder: inout PhoneReportBuilder) {
    let text = PhoneBody.text(request.body)
    defer { identify(request, &builder) }
    guard !text.isEmpty else {
      builder.add(.friendDeleted)
      return
    }
    guard let value = PhoneBody.json(text, &builder) else {
      builder.add(.unreadable)
      return
    }
    guard let list = value.list else {
      take(value, number: nil, &builder)
      return
    }
    for (index, element) in list.enumerated() { take(element, number: index + 1, &builder) }
  }

  static func take(_ value: JSONValue, number: Int?, _ builder: inout PhoneReportBuilder) {
    guard let members = value.members else {
      builder.note(.error, number, "\(value.kind) found, an object with _type expected")
      builder.add(.unreadable)
      return
    }
    let fields = PhoneFields(members)
    note(topic: fields.text("topic"), trackerID: fields.text("tid"), &builder)
    switch fields["_type"]?.string {
    case "location": location(fields, number, &builder)
    case "transition": transition(fields, number, &builder)
    case "waypoint": builder.add(.waypoint(waypoint(fields, number, &builder)))
    case "waypoints":
      builder.add(.waypoints(waypoints(fields["waypoints"], &builder)))
    case "encrypted": sealed(fields, number, &builder)
    case "status": builder.add(.status(attributes(fields, &builder)))
    case "lwt": builder.add(.lastWill(since: PhoneTime.instant(fields["tst"])))
    case "steps": builder.add(.steps(attributes(fields, &builder)))
    case "beacon": builder.add(.beacon(attributes(fields, &builder)))
    case "card": builder.add(.card(trackerID: fields.text("tid"), name: fields.text("name")))
    case "configuration":
      builder.add(
        .configuration(attributes(fields, &builder), waypoints: waypoints(fields["waypoints"], &builder)))
    case "request": builder.add(.request(attributes(fields, &builder)))
    case "cmd": builder.add(.command(action: fields.text("action") ?? ""))
    case nil where fields["lat"] != nil && fields["lon"] != nil:
      builder.note(.warning, number, "a position without _type found; it is read as a location")
      location(fields, number, &builder)
    case let type:
      builder.note(
        .error, number, "_type \"\(NumberField.excerpt(type ?? ""))\" found, which is not an OwnTracks type")
      builder.add(.unknown(type: String((type ?? "").prefix(100))))
    }
  }

  private static func location(_ fields: PhoneFields, _ number: Int?, _ builder: inout PhoneReportBuilder) {
    var draft = draft(fields, &builder)
    draft.point.speed = (fields["vel"]?.field ?? .missing).scaled(by: 1 / 3.6)
    draft.point.course = fields["cog"]?.field ?? .missing
    builder.height(fields["alt"], "alt", error: fields["vac"], "vac", of: &draft, number)
    draft.details.trigger = fields.text("t").map(FixTrigger.init(ownTracks:)) ?? .automatic
    draft.details.regions = fields["inregions"]?.strings ?? []
    draft.details.regionIDs = fields["inrids"]?.strings ?? []
    draft.details.messageID = fields.text("_id")
    draft.details.createdAt = PhoneTime.instant(fields["created_at"])
    draft.details.device = fields.text("topic")
    var state = PhoneState()
    state.battery = builder.battery(fields["batt"], full: 100, number)
    state.isCharging = charging(fields["bs"]?.double)
    state.connection = connection(fields.text("conn"))
    state.motion = fields["motionactivities"]?.strings ?? []
    state.monitoring = fields["m"]?.double.flatMap { Int(exactly: $0) }.flatMap(
      MonitoringMode.init(rawValue:))
    state.attributes = fields.attributes(without: placed, &builder)
    draft.details.state = state
    builder.add(draft, number: number)
  }

  /// Reads place, time and accuracy, which all messages write alike.
  private static func draft(_ fields: PhoneFields, _ builder: inout PhoneReportBuilder) -> PhoneFixDraft {
    var draft = PhoneFixDraft()
    draft.point.latitude = fields["lat"]?.degrees ?? .missing
    draft.point.longitude = fields["lon"]?.degrees ?? .missing
    draft.point.accuracy = fields["acc"]?.field ?? .missing
    draft.point.time = PhoneTime.read(fields["tst"])
    // Overland's OwnTracks mode counts from 2001-01-01, 978,307,200 s after 1970; no phone of today measured
    // before 2001-09-09.
    if let seconds = fields["tst"]?.field.number, (1..<1e9).contains(seconds) {
      draft.point.time = .read(
        Timestamp.instant(milliseconds: (seconds + 978_307_200) * 1000), as: String(seconds))
      // OwnTracks itself never leaves out `tid` here.
      if fields["tid"] == nil { builder.isOverlandAsOwnTracks = true }
    }
    return draft
  }

  /// Reads a crossing. Its position is kept as a fix, like any other.
  private static func transition(_ fields: PhoneFields, _ number: Int?, _ builder: inout PhoneReportBuilder) {
    var transition = PhoneTransition(isEntering: fields.text("event") == "enter")
    transition.name = fields.text("desc")
    transition.regionID = fields.text("rid")
    transition.trackerID = fields.text("tid")
    transition.at = PhoneTime.instant(fields["tst"])
    transition.waypointMadeAt = PhoneTime.instant(fields["wtst"])
    transition.trigger = fields.text("t").map(FixTrigger.init(ownTracks:))
    builder.add(.transition(transition))
    // A beacon's transition may have no place.
    guard fields["lat"] != nil || fields["lon"] != nil else { return }
    var draft = draft(fields, &builder)
    draft.details.trigger = transition.trigger ?? .circle
    draft.details.messageID = fields.text("_id")
    draft.details.createdAt = PhoneTime.instant(fields["created_at"])
    builder.add(draft, number: number)
  }

  private static func waypoints(_ value: JSONValue?, _ builder: inout PhoneReportBuilder) -> [PhoneWaypoint] {
    var waypoints: [PhoneWaypoint] = []
    // A configuration may hold the list inside a message of its own.
    for (index, entry) in (value?.list ?? value?["waypoints"]?.list ?? []).enumerated() {
      guard let members = entry.members else {
        builder.note(.error, index + 1, "\(entry.kind) found, a waypoint expected; it is left out")
        continue
      }
      waypoints.append(waypoint(PhoneFields(members), index + 1, &builder))
    }
    return waypoints
  }

  private static func waypoint(_ fields: PhoneFields, _ number: Int?, _ builder: inout PhoneReportBuilder)
    -> PhoneWaypoint
  {
    var waypoint = PhoneWaypoint(name: fields.text("desc") ?? "", isBeacon: fields["uuid"] != nil)
    waypoint.regionID = fields.text("rid")
    waypoint.madeAt = PhoneTime.instant(fields["tst"])
    waypoint.radius = builder.length(fields["rad"], "rad", in: 0...PhoneReportBuilder.farthest, number)
    if let latitude = builder.number(fields["lat"], "lat", number),
      let longitude = builder.number(fields["lon"], "lon", number)
    {
      waypoint.center = try? .init(latitudeDegrees: latitude, longitudeDegrees: longitude)
      if waypoint.center == nil {
        builder.note(
          .warning, number,
          "lat \(latitude), lon \(longitude) found, -90 to 90 and -360 to 360 allowed; the waypoint has no place"
        )
      }
    }
    return waypoint
  }

  private static func sealed(_ fields: PhoneFields, _ number: Int?, _ builder: inout PhoneReportBuilder) {
    guard let text = fields.text("data"),
      let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters),
      data.count >= 40
    else {
      builder.note(
        .error, number, "an encrypted message without base64 of a nonce and a box (40 bytes at least) found")
      builder.add(.unknown(type: "encrypted"))
      return
    }
    builder.add(.sealed(Array(data)))
  }

  /// Returns the members of a message that is kept as it is, without passwords.
  private static func attributes(_ fields: PhoneFields, _ builder: inout PhoneReportBuilder)
    -> [PhoneAttribute]
  {
    fields.attributes(
      without: [
        "_type", "waypoints", "password", "passphrase", "secretCode", "encryptionKey", "tlsClientCrtPassword",
        "opencageApiKey",
      ], &builder)
  }

  private static func note(topic: String?, trackerID: String?, _ builder: inout PhoneReportBuilder) {
    if builder.claim.trackerID == nil { builder.claim.trackerID = trackerID }
    guard builder.topic == nil, let topic else { return }
    builder.topic = topic
  }

  private static func identify(_ request: PhoneRequest, _ builder: inout PhoneReportBuilder) {
    let query = PhoneFields(PhoneBody.parameters(Array(request.query.utf8)[...], &builder))
    if builder.claim.user == nil { builder.claim.user = query.text("u") ?? request.limitUser }
    if builder.claim.device == nil { builder.claim.device = query.text("d") ?? request.limitDevice }
    guard builder.claim.user == nil || builder.claim.device == nil else { return }
    let topic = builder.topic?.split(separator: "/").map(String.init) ?? []
    let isTopic = topic.count >= 3 && topic[0] == "owntracks"
    // On PhoneTrack's path the token identifies the phone.
    let isOwn = request.endpoint == .owntracks
    if builder.claim.user == nil { builder.claim.user = isTopic ? topic[1] : isOwn ? "owntracks" : nil }
    if builder.claim.device == nil { builder.claim.device = isTopic ? topic[2] : isOwn ? "phone" : nil }
  }

  private static func charging(_ status: Double?) -> Bool? {
    switch status {
    case 1: false
    case 2, 3: true
    default: nil
    }
  }

  private static func connection(_ word: String?) -> PhoneConnection? {
    switch word {
    case "w": .wifi
    case "m": .mobile
    case "o": .offline
    default: nil
    }
  }

  /// The members of a location that have a field of their own.
  private static let placed: Set<String> = [
    "_type", "lat", "lon", "tst", "acc", "alt", "vac", "vel", "cog", "batt", "bs", "conn", "m", "t", "tid",
    "created_at", "inregions", "inrids", "topic", "_id", "motionactivities",
  ]
}

extension FixTrigger {
  init(ownTracks letter: String) {
    switch letter {
    case "p": self = .ping
    case "c": self = .circle
    case "C": self = .followCircle
    case "b": self = .beacon
    case "r": self = .response
    case "u": self = .manual
    case "t": self = .timer
    case "v": self = .visit
    default: self = .other(String(letter.prefix(20)))
    }
  }
}
