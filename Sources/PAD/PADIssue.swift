import AlarmEngine

/// A defect in a PAD file.
public struct PADIssue: Hashable, Sendable {
  /// The line number, from 1.
  public let line: Int
  /// The name of the zone it belongs to, if already read; else empty.
  public let zone: Text
  public let kind: Kind

  public enum Kind: Hashable, Sendable {
    // Defects of form; everything is read.

    /// A zone without `AlertZoneEnd`: the next one began, or the file ended. The zone is kept.
    case missingEnd
    case rowOutsideZone(key: Text)
    /// A separator inside quotes, which separates all the same.
    case separatorInQuotes
    case equalLocationNumbers(Double)
    /// The location keeps its position in the file.
    case locationNumberNotANumber(found: Text)
    /// The later row counts.
    case repeatedRow(PADKey)
    case extraColumns(PADKey, found: Text)
    case controlCharacters
    /// The last place of a polygon repeats the first and leaves too few for an area; the last one is dropped.
    case closingLocationDropped
    /// The zone got another id.
    case idTaken(ZoneID)

    // Defects that leave something out or replace it.

    /// The default is taken; a place is left out.
    case notANumber(PADKey, found: Text)
    case outOfRange(PADKey, found: Double, allowed: ClosedRange<Double>)
    case unknownWord(PADKey, found: Text)
    /// A row of one of our own keys that has too few values.
    case incomplete(PADKey)
    /// An unknown row whose name is almost one of ours; it is kept as it is.
    case misspelled(found: Text, PADKey)
    case lineTooLong(bytes: Int, allowed: Int)
    /// More rows than a zone keeps; allowed: `PADReader.maximumRows`.
    case tooManyUnknownRows
    /// The zone has no place and is left out.
    case noLocations
    /// So few places are left that they would be another kind of area; the zone is left out.
    case tooFewLocationsLeft(Int)
    /// The file has no zone.
    case noZones
    /// The numbers of issues that are not listed.
    case more(errors: Int, warnings: Int)
  }

  public init(line: Int, zone: Text = .empty, kind: Kind) {
    self.line = line
    self.zone = zone
    self.kind = kind
  }

  /// True if something was left out or replaced, rather than merely written in an unusual way.
  public var isError: Bool {
    switch kind {
    case .missingEnd, .rowOutsideZone, .separatorInQuotes, .equalLocationNumbers, .locationNumberNotANumber,
      .repeatedRow, .extraColumns, .controlCharacters, .closingLocationDropped, .idTaken:
      false
    case .notANumber, .outOfRange, .unknownWord, .incomplete, .misspelled, .lineTooLong, .tooManyUnknownRows,
      .noLocations, .tooFewLocationsLeft, .noZones:
      true
    case .more(let errors, _):
      errors > 0
    }
  }
}
