import AlarmEngine
import Foundation

/// P2: the posts of Overland: a batch of GeoJSON features (longitude first), the present place, a trip.
///
/// If the body as a whole is not JSON, its elements are read one by one. A log entry carries the last known
/// position with the time of the entry, so no fix is made of it. The position of a visit, which iOS itself
/// detects, is true at arrival and at departure: it makes a fix at each of these times that is known.
/// Read: `aaronpk/Overland-iOS`, README and GLManager.m.
enum OverlandBatch {
  static func read(_ request: PhoneRequest, into builder: inout PhoneReportBuilder) {
    let text = PhoneBody.text(request.body)
    guard !text.isEmpty else {
      builder.note(.error, nil, "an empty body found, locations expected")
      builder.add(.unreadable)
      return
    }
    do throws(JSONError) { take(try JSONValue.parse(Array(text)), &builder) } catch {
      builder.note(
        .warning, nil,
        "the batch is not JSON (\(error.message), at byte \(error.offset)); read element by element")
      readPieces(Array(text), &builder)
    }
  }

  private static func take(_ value: JSONValue, _ builder: inout PhoneReportBuilder) {
    guard value.isObject || value.list != nil else {
      builder.note(.error, nil, "\(value.kind) found, an object with locations expected")
      builder.add(.unreadable)
      return
    }
    if value["_type"] != nil {
      builder.isOverlandAsOwnTracks = true
      OwnTracksMessage.take(value, number: nil, &builder)
      return
    }
    if let current = value["current"], current.isObject {
      feature(current, number: nil, isCurrent: true, &builder)
    }
    if let trip = value["trip"], let members = trip.members { take(trip: PhoneFields(members), &builder) }
    guard let locations = value.list ?? value["locations"]?.list else {
      if let stray = value["locations"] {
        builder.note(.error, nil, "locations: \(stray.kind) found, an array expected")
      } else if value["current"] == nil, value["trip"] == nil {
        builder.note(.error, nil, "no locations found")
        builder.add(.unknown(type: ""))
      }
      return
    }
    for (index, location) in locations.enumerated() {
      feature(location, number: index + 1, isCurrent: false, &builder)
    }
  }

  /// Reads a damaged batch element by element.
  private static func readPieces(_ bytes: [UInt8], _ builder: inout PhoneReportBuilder) {
    var number = 0
    var found = false
    var slicer = JSONSlicer(keys: ["locations"], takesOutermost: true)
    func handle(_ item: JSONSlicer.Item) {
      switch item {
      case .element(let element, _):
        number += 1
        guard let value = PhoneBody.json(element[...], &builder, number: number) else { return }
        found = true
        feature(value, number: number, isCurrent: false, &builder)
      case .document(let document, _, _):
        guard let value = PhoneBody.json(document[...], &builder) else { return }
        if number == 0 || value["current"] != nil || value["trip"] != nil {
          found = true
          take(value, &builder)
        }
      case .nothing: builder.note(.error, number + 1, "a comma without a location found")
      case .tooDeep, .tooLong:
        number += 1
        builder.note(
          .error, number, "more than \(JSONSlicer.maximumDepth) levels found; the location is left out")
      case .cutOff: builder.note(.error, number + 1, "the batch ends early; what is cut off is left out")
      }
    }
    slicer.feed(bytes, to: handle)
    slicer.finish(handle)
    if !found { builder.add(.unreadable) }
  }

  private static func feature(
    _ value: JSONValue, number: Int?, isCurrent: Bool, _ builder: inout PhoneReportBuilder
  ) {
    guard value.isObject else {
      builder.note(.error, number, "\(value.kind) found, a feature expected; it is left out")
      return
    }
    if value["geometry"] == nil, value["location"]?.isObject == true || value["coords"] != nil {
      TraccarReport.take(value, number: number, &builder)
      return
    }
    let properties = PhoneFields(value["properties"]?.members ?? [])
    identify(properties, &builder)
    if properties.text("type") == "trip" {
      take(trip: properties, &builder)
      return
    }
    if let action = properties.text("action") {
      builder.add(
        .logEntry(
          action: String(action.prefix(100)), at: PhoneTime.instant(properties["timestamp"]),
          properties.attributes(without: ["action", "timestamp"], &builder)))
      if action == "visit" { visit(value, properties, number, &builder) }
      return
    }
    var draft = draft(value, properties, number, &builder)
    draft.point.time = PhoneTime.read(properties["timestamp"])
    draft.details.isCurrent = isCurrent
    builder.add(draft, number: number)
  }

  /// Adds a fix for each known end of a visit. Core Location writes the distant past or future for unknown
  /// ends.
  private static func visit(
    _ value: JSONValue, _ properties: PhoneFields, _ number: Int?, _ builder: inout PhoneReportBuilder
  ) {
    let known = Instant(millisecondsSince1970: 978_307_200_000)...(builder.receivedAt + .hours(24))
    for name in ["arrival_date", "departure_date"] {
      guard let at = PhoneTime.instant(properties[name]), known.contains(at) else { continue }
      var draft = draft(value, properties, number, &builder)
      draft.point.time = .read(.time(at, zone: .stated), as: "")
      draft.details.trigger = .visit
      // The phone's state belongs to the time of the report, not to that of the visit.
      draft.details.state = PhoneState()
      builder.add(draft, number: number)
    }
  }

  /// Reads a feature except its time.
  private static func draft(
    _ value: JSONValue, _ properties: PhoneFields, _ number: Int?, _ builder: inout PhoneReportBuilder
  ) -> PhoneFixDraft {
    var draft = PhoneFixDraft()
    if let place = value["geometry"]?["coordinates"] {
      draft.point.longitude = place.element(0)?.degrees ?? .missing
      draft.point.latitude = place.element(1)?.degrees ?? .missing
    }
    draft.point.accuracy = properties["horizontal_accuracy"]?.field ?? .missing
    draft.point.speed = properties["speed"]?.field ?? .missing
    draft.point.course = properties["course"]?.field ?? .missing
    builder.height(
      properties["altitude"], "altitude", error: properties["vertical_accuracy"], "vertical_accuracy",
      of: &draft, number)
    draft.details.device = properties.text("device_id")
    draft.details.state = state(properties, number, &builder)
    return draft
  }

  private static func state(_ properties: PhoneFields, _ number: Int?, _ builder: inout PhoneReportBuilder)
    -> PhoneState
  {
    var state = PhoneState()
    state.battery = builder.battery(properties["battery_level"], full: 1, number)
    switch properties.text("battery_state") {
    case "charging", "full": state.isCharging = true
    case "unplugged": state.isCharging = false
    default: break
    }
    if properties.text("wifi") != nil { state.connection = .wifi }
    state.motion = properties["motion"]?.strings ?? []
    state.attributes = properties.attributes(without: placed, &builder)
    return state
  }

  private static func identify(_ properties: PhoneFields, _ builder: inout PhoneReportBuilder) {
    if builder.claim.device == nil { builder.claim.device = properties.text("device_id") }
    if builder.claim.uniqueID == nil { builder.claim.uniqueID = properties.text("unique_id") }
  }

  private static func take(trip fields: PhoneFields, _ builder: inout PhoneReportBuilder) {
    var trip = PhoneTrip()
    trip.distance = builder.length(fields["distance"], "distance", in: 0...1e9, nil)
    trip.mode = fields.text("mode")
    trip.start = PhoneTime.instant(fields["start"])
    trip.end = PhoneTime.instant(fields["end"])
    builder.add(.trip(trip))
    if let current = fields["current_location"], current.isObject {
      feature(current, number: nil, isCurrent: true, &builder)
    }
  }

  private static let placed: Set<String> = [
    "timestamp", "altitude", "speed", "course", "horizontal_accuracy", "vertical_accuracy", "motion",
    "battery_state", "battery_level", "device_id", "unique_id",
  ]
}
