import AlarmEngine
import Foundation

/// The zones and issues read from a zone file.
public struct ZoneFile: Sendable {
  public var zones: [Zone]
  public var issues: [ReadIssue]
  /// The line at which each zone begins, from 1; none for formats without meaningful lines.
  public var lines: [ZoneID: Int] = [:]
  /// The members of other programs for each zone; filled only if `keepsForeign` was set.
  public var foreign: [ZoneID: ForeignMembers] = [:]
  public init(zones: [Zone], issues: [ReadIssue]) {
    self.zones = zones
    self.issues = issues
  }
}
