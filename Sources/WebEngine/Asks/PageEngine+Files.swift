import AlarmEngine
import Geometry
import PAD

extension PageEngine {
  /// Reads a PAD file: its zones as forms, and its issues: `line`, `zone` (its name, if known), `error`
  /// (something was left out or replaced) and `why`.
  ///
  /// With `more` the bytes are the next piece of a file and further ones follow. Each answer has the zones
  /// that the piece completes; the last one has the issues.
  mutating func readPAD(_ fields: Fields) throws(Refusal) -> PageValue {
    guard let value = fields.present("bytes") else { throw .field(.init("bytes", .missing)) }
    guard let bytes = value.bytes else { throw .field(.init("bytes", .wrongKind)) }
    let more = try fields.asked(bool: "more") == true
    var reader = PADReader()
    swap(&reader, &self.reader)
    reader.feed(bytes[...])
    if !more { reader.finish() }
    let zones = reader.takeZones()
    if more { swap(&reader, &self.reader) }
    return .map([
      .init("zones", .list(zones.map { ZoneForm.form(of: $0) })),
      .init(
        "issues",
        .list(
          (more ? [] : reader.issues).map {
            .map([
              .init("line", .integer(Int64($0.line))), .init("zone", .text($0.zone)),
              .init("error", .bool($0.isError)), .init("why", .text($0.kind.word)),
            ])
          })),
    ])
  }

  /// Writes the given zones as a PAD file. `changed` counts the details that the format cannot represent
  /// unchanged, `refused_zones` lists the invalid forms.
  func writePAD(_ fields: Fields) throws(Refusal) -> PageValue {
    let (zones, refused) = try fields.zones("zones")
    let writer = PADWriter.write(zones)
    return .map([
      .init("bytes", .bytes(writer.bytes)), .init("changed", .integer(Int64(writer.issues.count))),
      .init("refused_zones", .list(refused.map { $0.form })),
    ])
  }
}

extension PADIssue.Kind {
  var word: Text {
    switch self {
    case .missingEnd: "missing_end"
    case .rowOutsideZone: "row_outside_zone"
    case .separatorInQuotes: "separator_in_quotes"
    case .equalLocationNumbers: "equal_location_numbers"
    case .locationNumberNotANumber: "location_number_not_a_number"
    case .repeatedRow: "repeated_row"
    case .extraColumns: "extra_columns"
    case .controlCharacters: "control_characters"
    case .closingLocationDropped: "closing_location_dropped"
    case .idTaken: "id_taken"
    case .notANumber: "not_a_number"
    case .outOfRange: "out_of_range"
    case .unknownWord: "unknown_word"
    case .incomplete: "incomplete"
    case .misspelled: "misspelled"
    case .lineTooLong: "line_too_long"
    case .tooManyUnknownRows: "too_many_unknown_rows"
    case .noLocations: "no_locations"
    case .tooFewLocationsLeft: "too_few_locations_left"
    case .noZones: "no_zones"
    case .more: "more"
    }
  }
}
