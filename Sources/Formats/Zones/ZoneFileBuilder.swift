import AlarmEngine
import Geometry
import PAD

/// Collects the zones and issues that a zone reader finds.
struct ZoneFileBuilder {
  private(set) var zones: [Zone] = []
  private(set) var issues: [ReadIssue] = []
  private(set) var lines: [ZoneID: Int] = [:]
  private(set) var foreign: [ZoneID: ForeignMembers] = [:]
  /// True if the members of other programs are kept.
  let keepsForeign: Bool
  var ids = PADIdentifiers()
  let defaultRadius: Distance
  /// The document of an archive to name in messages; empty for the main document.
  var document = ""
  private var errorCount = 0
  private var warningCount = 0

  /// The most errors listed, and the most warnings; further ones are only counted.
  static let maximumIssues = 1000

  init(defaultRadius: Distance, keepsForeign: Bool = false) {
    self.defaultRadius = defaultRadius
    self.keepsForeign = keepsForeign
  }

  mutating func report(_ severity: ReadIssue.Severity, line: Int? = nil, _ message: @autoclosure () -> String)
  {
    switch severity {
    case .error:
      errorCount += 1
      if errorCount > Self.maximumIssues { return }
    case .warning:
      warningCount += 1
      if warningCount > Self.maximumIssues { return }
    }
    issues.append(ReadIssue(severity, line: line, (document.isEmpty ? "" : "\(document): ") + message()))
  }

  /// Adds a zone that has an area; reports an error for any other.
  mutating func add(
    _ draft: ZoneDraft, line: Int?, foreign: @autoclosure () -> ForeignMembers = .init(properties: [])
  ) {
    do throws(ZoneError) {
      let zone = try Zone(draft)
      _ = try zone.shape(defaultRadius: defaultRadius)
      zones.append(zone)
      if let line { lines[zone.id] = line }
      guard keepsForeign else { return }
      let members = foreign()
      if !members.isEmpty { self.foreign[zone.id] = members }
    } catch {
      report(.error, line: line, "\(Self.label(draft.name)): \(error.message); the zone is left out")
    }
  }

  /// The zones and issues up to a place in the file.
  struct Mark {
    fileprivate let zones: Int
    fileprivate let issues: Int
    fileprivate let errors: Int
    fileprivate let warnings: Int
  }

  var mark: Mark {
    Mark(zones: zones.count, issues: issues.count, errors: errorCount, warnings: warningCount)
  }

  /// Removes all zones and issues added since the mark.
  mutating func takeBack(to mark: Mark) {
    for zone in zones[mark.zones...] {
      lines[zone.id] = nil
      foreign[zone.id] = nil
    }
    zones.removeSubrange(mark.zones...)
    issues.removeSubrange(mark.issues...)
    (errorCount, warningCount) = (mark.errors, mark.warnings)
  }

  mutating func add(_ read: [Zone], lines: [Int]) {
    for (zone, line) in zip(read, lines) { self.lines[zone.id] = line }
    zones += read
  }

  func finished() -> ZoneFile {
    var all = issues
    let errors = errorCount - Self.maximumIssues
    let warnings = warningCount - Self.maximumIssues
    if errors > 0 { all.append(ReadIssue(.error, "\(errors) more errors")) }
    if warnings > 0 { all.append(ReadIssue(.warning, "\(warnings) more warnings")) }
    var file = ZoneFile(zones: zones, issues: all)
    file.lines = lines
    file.foreign = foreign
    return file
  }

  static func label(_ name: Text) -> String {
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
