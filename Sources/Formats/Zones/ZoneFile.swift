import AlarmEngine
import Foundation

/// What was read from a zone file.
public struct ZoneFile: Sendable {
  public var zones: [Zone]
  public var issues: [ReadIssue]
  public init(zones: [Zone], issues: [ReadIssue]) {
    self.zones = zones
    self.issues = issues
  }
}

public enum ZoneFormat: String, CaseIterable, Sendable {
  case pad, geojson, kml, kmz, owntracks, openair
}
