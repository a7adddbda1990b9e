import AlarmEngine

/// Writes a file of zones, one zone after the other.
package protocol ZoneFormatWriter: AnyObject {
  /// A warning for everything that the format cannot hold.
  var issues: [ReadIssue] { get }
  /// - Parameter foreign: what another program stated of the zone.
  func append(_ zone: ZoneDraft, keeping foreign: ForeignMembers?)
  /// Ends the file.
  func finish()
  /// Returns and removes the bytes since the last call.
  func takeBytes() -> [UInt8]
}

extension ZoneDraft {
  /// The warning about a zone that readers will refuse; nil for a zone with a place.
  var placeless: ReadIssue? {
    guard outline.places.isEmpty else { return nil }
    return ReadIssue(.warning, "\(ZoneFileBuilder.label(name)) has no place; readers will refuse it")
  }
}
