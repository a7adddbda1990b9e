import AlarmEngine

/// An issue in a file of zones, by kind, for a host that has words of its own.
package struct ZoneFileNote: Equatable, Sendable {
  /// From 1; nil for formats without meaningful lines.
  package let line: Int?
  /// The zone's name; empty if the issue is about none.
  package let zone: Text
  /// True if something is left out.
  package let isError: Bool
  package let kind: Kind

  /// The raw values are the page's names.
  package enum Kind: String, CaseIterable, Sendable {
    case badCoordinate = "bad_coordinate"
    case badArc = "bad_arc"
    case badVariable = "bad_variable"
    case noCenter = "no_center"
    case unknownRecord = "unknown_record"
    case heightUnknown = "height_unknown"
    case badHeight = "bad_height"
    case ceilingBelowFloor = "ceiling_below_floor"
    case timesIgnored = "times_ignored"
    case lineTooLong = "line_too_long"
    /// The zone is left out.
    case noGeometry = "no_geometry"
    case foreignReference = "foreign_crs"
    case badSize = "bad_size"
    case unknownSize = "unknown_size"
    case badAltitude = "bad_altitude"
    case cutOff = "cut_off"
    case linkElsewhere = "link_elsewhere"
    /// The zone is no region, and is left out.
    case noRegion = "no_region"
    case badRadius = "bad_radius"
    case calendarIgnored = "calendar_ignored"
    case misspelled
    /// The default is taken.
    case badValue = "bad_value"
    /// Something is left out.
    case unreadable
    /// Nothing is left out.
    case mended
  }
}

/// Something odd about a zone that is being read: its kind, and a sentence for people.
package struct ZoneRemark {
  package let kind: ZoneFileNote.Kind
  package let text: String
}

extension ZoneFileBuilder {
  package mutating func report(
    _ severity: ReadIssue.Severity, _ remarks: [ZoneRemark], line: Int?, zone: Text
  ) {
    for remark in remarks { report(severity, remark.kind, line: line, zone: zone, remark.text) }
  }
}
