import AlarmEngine
import Foundation
import PAD

extension ZoneFile {
  static func readPAD(_ source: ByteSource, into builder: inout ZoneFileBuilder) throws {
    var reader = PADReader()
    while let chunk = try source.next() { reader.feed(chunk[...]) }
    reader.finish()
    builder.add(reader.zones, lines: reader.zoneLines)
    for issue in reader.issues {
      builder.report(issue.isError ? .error : .warning, line: issue.line, issue.message)
    }
  }
}

extension PADWriter {
  static func encode(_ zones: [ZoneDraft]) -> (data: Data, issues: [ReadIssue]) {
    var writer = PADWriter()
    for zone in zones { writer.append(zone) }
    return (
      Data(writer.bytes),
      writer.issues.map { issue in
        ReadIssue(.warning, "\(ZoneFileBuilder.label(zones[issue.zone].name)): \(issue.kind.message)")
      }
    )
  }
}

extension PADWriter.Issue.Kind {
  var message: String {
    switch self {
    case .textChanged(let key, let written):
      "\(key?.spelling.string ?? "a row kept from another program") cannot hold that text; written as \"\(written)\""
    case .unknownRowLeftOut(let key):
      "a kept row named \"\(key)\" is left out: the name is reserved"
    case .noLocations: "has no place; readers will refuse it"
    }
  }
}

extension PADIssue {
  /// One sentence: the value found, the values allowed, and the action taken.
  public var message: String {
    let text = kind.message
    return zone.isEmpty ? text : "zone \"\(zone.string.prefix(60))\": \(text)"
  }
}

extension PADIssue.Kind {
  fileprivate var message: String {
    switch self {
    case .missingEnd: "AlertZoneEnd is missing; the zone is kept"
    case .rowOutsideZone(let key):
      "row \"\(key)\" stands outside AlertZoneStart ... AlertZoneEnd and is ignored"
    case .separatorInQuotes: "a separator inside quotes still separates columns"
    case .equalLocationNumbers(let number):
      "location number \(Self.short(number)) found twice; the order of the file is used"
    case .locationNumberNotANumber(let found):
      "location number \"\(found)\" found, a number allowed; the order of the file is used"
    case .repeatedRow(let key): "\(key.spelling) found twice; the later row is used"
    case .extraColumns(let key, let found):
      "\(key.spelling) has an extra column, \"\(found)\"; it is ignored"
    case .controlCharacters: "control characters found and removed"
    case .closingLocationDropped: "the last location repeats the first; the zone is made of the others"
    case .idTaken(let id): "AlertZoneID \(id) belongs to an earlier zone; this one gets another id"
    case .notANumber(let key, let found):
      "\(key.spelling) \"\(found)\" found, a number allowed; \(Self.consequence(key))"
    case .outOfRange(let key, let found, let allowed):
      "\(Self.name(key, allowed)) \(Self.short(found)) found, "
        + "\(Self.short(allowed.lowerBound)) to \(Self.short(allowed.upperBound)) allowed; \(Self.consequence(key))"
    case .unknownWord(let key, let found):
      "\(key.spelling) \"\(found)\" found, \(Self.words(key)) allowed; the default is taken"
    case .incomplete(let key): "\(key.spelling) has too few or unusable values; the row is ignored"
    case .misspelled(let found, let key):
      "\(found) found, which is not known; did you mean \(key.spelling)? The row is kept but has no effect"
    case .lineTooLong(let bytes, let allowed):
      "a line of \(bytes) bytes found, \(allowed) allowed; it is skipped"
    case .tooManyUnknownRows: "more than \(PADReader.maximumRows) unknown rows; the others are not kept"
    case .noLocations: "no usable location found, one or more needed; the zone is left out"
    case .tooFewLocationsLeft(let count):
      "only \(count) of its locations could be read, which would make an area of another kind; the zone is left out"
    case .noZones: "no AlertZoneStart found: not a PAD file, or an empty one"
    case .more(let errors, let warnings): "\(errors) more errors and \(warnings) more warnings"
    }
  }

  private static func short(_ value: Double) -> String {
    value.magnitude < 1e15 && value == value.rounded(.towardZero) ? "\(Int64(value))" : "\(value)"
  }

  private static func name(_ key: PADKey, _ allowed: ClosedRange<Double>) -> String {
    guard key == .location else { return key.spelling.string }
    return allowed.upperBound == 90 ? "latitude" : "longitude"
  }

  private static func consequence(_ key: PADKey) -> String {
    switch key {
    case .location, .vertex: "the location is left out"
    case .size: "the Default Radius or the nearest allowed size is taken"
    case .sleepTime: "the Default Sleep Time is taken"
    case .floor, .ceiling: "the zone gets no such limit"
    default: "the default or the nearest allowed value is taken"
    }
  }

  private static func words(_ key: PADKey) -> String {
    switch key {
    case .active, .vibrate: "0 or 1"
    case .trigger: "enter, inside, leave, enter_leave, inside_leave or dwell"
    case .assurance: "safety, normal or relaxed"
    case .edges: "geodesic or lonlat"
    case .outline: "locations, path or area"
    case .id: "16 hexadecimal digits"
    default: "another value"
    }
  }
}
