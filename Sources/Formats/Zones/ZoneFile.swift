import AlarmEngine
import Foundation

/// What was read from a zone file.
public struct ZoneFile: Sendable {
  public var zones: [Zone]
  public var issues: [ReadIssue]
  /// Where in the file a zone begins, from 1; without those of formats that have no lines worth naming.
  public var lines: [ZoneID: Int] = [:]
  /// What other programs say of the zones, where it was asked for.
  public var foreign: [ZoneID: ForeignMembers] = [:]
  public init(zones: [Zone], issues: [ReadIssue]) {
    self.zones = zones
    self.issues = issues
  }
}

public enum ZoneFormat: String, CaseIterable, Sendable {
  case pad, geojson, kml, kmz, owntracks, openair
  /// These are only read, as `openair` is.
  case gpx, csv, traccar, homeassistant
}
