import AlarmEngine
import Geometry

/// An event as a page shows it: `event`, `time_ms` (true), `decided_ms`, `learned_ms`, and what belongs to its kind.
enum EventForm {
  static func form(of event: Event, _ names: ZoneNames) -> PageValue {
    var entries: [PageValue.Entry] = [
      .init("time_ms", .integer(event.time.millisecondsSince1970)),
      .init("decided_ms", .integer(event.decidedAt.millisecondsSince1970)),
      .init("learned_ms", .integer(event.learnedAt.millisecondsSince1970)),
    ]
    func add(_ key: Text, _ value: PageValue) { entries.add(key, value) }
    func add(_ zone: ZoneID) {
      add("zone", .text(Text(zone.description)))
      add("name", .text(names[zone]))
    }
    func add(_ report: AlarmReport) {
      add(report.zone)
      add("alarm", .text(Text(report.alarm.description)))
      add("cause", .text(report.cause.word))
      add("distance_m", .number(report.distance.metres))
      add("place", place(report.position))
    }
    switch event.kind {
    case .alarm(let report):
      add("event", .text("alarm"))
      add(report)
    case .repeat(let report):
      add("event", .text("repeat"))
      add(report)
    case .cleared(let report, let why):
      add("event", .text("cleared"))
      add(report)
      add("why", .text(why.word))
    case .missedSignal(let zone, let distance, let position):
      add("event", .text("missed_signal"))
      add(zone)
      add("distance_m", .number(distance.metres))
      add("place", place(position))
    case .perhaps(let zone, let distance, let position, let probability):
      add("event", .text("perhaps"))
      add(zone)
      add("distance_m", .number(distance.metres))
      add("place", place(position))
      add("probability", .number(probability))
    case .ignored(let fix, let why):
      add("event", .text("ignored"))
      add("why", .text(why.word))
      add("place", place(fix.position))
    case .notice(let zone):
      add("event", .text("notice"))
      add(zone)
    case .proposal(let proposal):
      add("event", .text("proposal"))
      add(
        "lines",
        .list(
          proposal.lines.map {
            .map([.init("zone", .text($0.zone)), .init("message", ZoneForm.form(of: $0.message))])
          }))
      add("numbers", .list(proposal.contactNumbers.map { .text($0) }))
    }
    return .map(entries)
  }

  static func place(_ place: Coordinate) -> PageValue {
    .list([.number(place.latitude.degrees), .number(place.longitude.degrees)])
  }
}

// MARK: Words that programs read

extension ZoneError {
  /// `why`, and of a number out of range `field`, `given`, `least`, `most`.
  var entries: [PageValue.Entry] {
    switch self {
    case .outOfRange(let number): return ZoneForm.FieldError(number).entries
    case .ceilingNotAboveFloor(let floor, let ceiling):
      return ZoneForm.error(floor: floor, ceiling: ceiling).entries
    case .noLocations, .tooFewPlaces, .sizeOutOfRange, .idTaken, .unreadable: break
    }
    return [.init("why", .text(word))]
  }

  var word: Text {
    switch self {
    case .outOfRange, .ceilingNotAboveFloor: ZoneForm.Fault.outOfRange.word
    case .unreadable: "unreadable"
    case .noLocations: ZoneForm.Fault.noPlaces.word
    case .tooFewPlaces: ZoneForm.Fault.tooFewPlaces.word
    case .sizeOutOfRange: "size_out_of_range"
    case .idTaken: "id_taken"
    }
  }
}

extension Guarantee.Shortfall {
  var word: Text {
    switch self {
    case .onlyWhileVisible: "only_while_visible"
    case .onlyInUse: "only_in_use"
    case .approximateOnly: "approximate_only"
    case .noFix: "no_fix"
    case .suspectPosition: "suspect_position"
    case .mayBeInside: "may_be_inside"
    case .significantChangesOnly: "significant_changes_only"
    case .rangAlready: "rang_already"
    case .policyHasNoBound: "policy_has_no_bound"
    case .parkedBeside: "parked_beside"
    }
  }
}

extension Guarantee.Silence {
  var word: Text {
    switch self {
    case .stopped: "stopped"
    case .notAuthorized: "not_authorized"
    case .hidden: "hidden"
    case .disarmed: "disarmed"
    case .inactive: "inactive"
    case .scheduleClosed: "schedule_closed"
    case .acknowledgedForToday: "acknowledged_for_today"
    case .noArea: "no_area"
    }
  }
}
