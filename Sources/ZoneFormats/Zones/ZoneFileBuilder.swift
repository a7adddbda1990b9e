import AlarmEngine
import Geometry
import PAD

/// Collects the zones and issues that a zone reader finds.
///
/// A host that checks zones and words issues itself, as the page does, takes drafts and notes instead, a piece of the
/// file at a time.
package struct ZoneFileBuilder {
  package private(set) var zones: [Zone] = []
  package private(set) var issues: [ReadIssue] = []
  package private(set) var lines: [ZoneID: Int] = [:]
  package private(set) var foreign: [ZoneID: ForeignMembers] = [:]
  /// The zones unchecked, and the issues by kind, if `isRaw` is set; the members above then stay empty.
  private var drafts: [ZoneDraft] = []
  private var notes: [ZoneFileNote] = []
  #if hasFeature(Embedded)
    /// A page has an engine and words of its own: neither checks nor messages are compiled.
    private var isRaw: Bool { true }
  #else
    private let isRaw: Bool
  #endif
  /// True if the members of other programs are kept.
  let keepsForeign: Bool
  var ids = PADIdentifiers()
  let defaultRadius: Distance
  /// The document of an archive to name in messages; empty for the main document.
  package var document = ""
  private var zoneCount = 0
  private var errorCount = 0
  private var warningCount = 0

  /// The most errors listed, and the most warnings; further ones are only counted.
  static let maximumIssues = 1000

  #if !hasFeature(Embedded)
    package init(defaultRadius: Distance, keepsForeign: Bool = false) {
      self.defaultRadius = defaultRadius
      self.keepsForeign = keepsForeign
      isRaw = false
    }
  #endif

  /// For a host that checks zones and words issues itself.
  package init() {
    defaultRadius = .zero
    keepsForeign = false
    #if !hasFeature(Embedded)
      isRaw = true
    #endif
  }

  /// True if no zone and no issue was found.
  package var isEmpty: Bool { zoneCount == 0 && errorCount == 0 && warningCount == 0 }

  /// Returns and removes the drafts and notes since the last call.
  package mutating func takeRaw() -> (drafts: [ZoneDraft], notes: [ZoneFileNote]) {
    defer { (drafts, notes) = ([], []) }
    return (drafts, notes)
  }

  /// - Parameters:
  ///   - kind: names the issue for a host with words of its own.
  ///   - zone: the name of the zone that it is about; nil if it is about none. The message then begins with it.
  package mutating func report(
    _ severity: ReadIssue.Severity, _ kind: ZoneFileNote.Kind, line: Int? = nil, zone: Text? = nil,
    _ message: @autoclosure () -> String
  ) {
    switch severity {
    case .error:
      errorCount += 1
      if errorCount > Self.maximumIssues, !isRaw { return }
    case .warning:
      warningCount += 1
      if warningCount > Self.maximumIssues, !isRaw { return }
    }
    if isRaw {
      notes.append(ZoneFileNote(line: line, zone: zone ?? .empty, isError: severity == .error, kind: kind))
      return
    }
    let place = (document.isEmpty ? "" : "\(document): ") + (zone.map { "\(Self.label($0)): " } ?? "")
    issues.append(ReadIssue(severity, line: line, place + message()))
  }

  /// Reports an issue without a kind of its own.
  package mutating func report(
    _ severity: ReadIssue.Severity, line: Int? = nil, _ message: @autoclosure () -> String
  ) {
    report(severity, severity == .error ? .unreadable : .mended, line: line, message())
  }

  /// Adds a zone that has an area; reports an error for any other.
  package mutating func add(
    _ draft: ZoneDraft, line: Int?, foreign: @autoclosure () -> ForeignMembers = .init(properties: [])
  ) {
    zoneCount += 1
    guard !isRaw else {
      drafts.append(draft)
      return
    }
    do throws(ZoneError) {
      let zone = try Zone(draft)
      _ = try zone.shape(defaultRadius: defaultRadius)
      zones.append(zone)
      if let line { lines[zone.id] = line }
      guard keepsForeign else { return }
      let members = foreign()
      if !members.isEmpty { self.foreign[zone.id] = members }
    } catch {
      report(.error, .badValue, line: line, zone: draft.name, "\(error.message); the zone is left out")
    }
  }

  /// The zones and issues up to a place in the file.
  struct Mark {
    fileprivate let found: Int
    fileprivate let zones: Int
    fileprivate let issues: Int
    fileprivate let errors: Int
    fileprivate let warnings: Int
  }

  var mark: Mark {
    Mark(
      found: zoneCount, zones: isRaw ? drafts.count : zones.count, issues: isRaw ? notes.count : issues.count,
      errors: errorCount, warnings: warningCount)
  }

  /// Removes all zones and issues added since the mark; none of them may have been taken.
  mutating func takeBack(to mark: Mark) {
    (zoneCount, errorCount, warningCount) = (mark.found, mark.errors, mark.warnings)
    guard !isRaw else {
      drafts.removeSubrange(mark.zones...)
      notes.removeSubrange(mark.issues...)
      return
    }
    for zone in zones[mark.zones...] {
      lines[zone.id] = nil
      foreign[zone.id] = nil
    }
    zones.removeSubrange(mark.zones...)
    issues.removeSubrange(mark.issues...)
  }

  package mutating func add(_ read: [Zone], lines: [Int]) {
    for (zone, line) in zip(read, lines) { self.lines[zone.id] = line }
    zones += read
  }

  /// The issues, with a line for those beyond `maximumIssues`.
  package var listedIssues: [ReadIssue] {
    var all = issues
    let errors = errorCount - Self.maximumIssues
    let warnings = warningCount - Self.maximumIssues
    if errors > 0 { all.append(ReadIssue(.error, "\(errors) more errors")) }
    if warnings > 0 { all.append(ReadIssue(.warning, "\(warnings) more warnings")) }
    return all
  }

  package static func label(_ name: Text) -> String {
    name.isEmpty ? "zone without a name" : "zone \"\(name.string.prefix(60))\""
  }
}

extension ZoneError {
  /// A sentence for people: the value found and the values allowed.
  public var message: String {
    switch self {
    case .noLocations: "no locations found, at least one is needed"
    case .tooFewPlaces(let given):
      "\(given) different places found, 2 or more needed for a path, 3 for an area"
    case .sizeOutOfRange(let given):
      "size \(given.metres) m found, \(Zone.allowedSize.lowerBound.metres) to \(Zone.allowedSize.upperBound.metres) m allowed"
    case .outOfRange(let number): number.message
    case .ceilingNotAboveFloor(let floor, let ceiling):
      "a ceiling of \(ceiling.metres) m found, more than the floor of \(floor.metres) m allowed"
    case .unreadable(let error): "its stored data cannot be read: \(error.message)"
    case .idTaken: "its id belongs to another zone already; each needs one of its own"
    }
  }
}
