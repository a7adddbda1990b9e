import AlarmEngine

/// Something in a PAD file that is not as it should be.
public struct PADIssue: Hashable, Sendable {
  /// From 1.
  public let line: Int
  /// Of the zone it belongs to, where that was read already; else empty.
  public let zone: Text
  public let kind: Kind

  public enum Kind: Hashable, Sendable {
    // The file's form; all is read nonetheless.

    /// A zone without `AlertZoneEnd`: the next one began, or the file ended. The zone is kept.
    case missingEnd
    case rowOutsideZone(key: Text)
    /// A comma inside quotes separates all the same.
    case separatorInQuotes
    case equalLocationNumbers(Double)
    /// Read as if it stood where it stands in the file.
    case locationNumberNotANumber(found: Text)
    /// The later row counts.
    case repeatedRow(PADKey)
    case extraColumns(PADKey, found: Text)
    case controlCharacters
    /// A polygon whose last place repeats the first leaves too few for an area: read as what is left.
    case closingLocationDropped
    /// The zone got another id.
    case idTaken(ZoneID)

    // Something is left out or replaced.

    /// The default is taken, or for a place: it is left out.
    case notANumber(PADKey, found: Text)
    case outOfRange(PADKey, found: Double, allowed: ClosedRange<Double>)
    case unknownWord(PADKey, found: Text)
    /// A row of one of our own keys that has too few values.
    case incomplete(PADKey)
    /// A row that is none of ours and is called almost like one; it is kept as it is.
    case misspelled(found: Text, PADKey)
    case lineTooLong(bytes: Int, allowed: Int)
    /// More rows than a zone keeps; allowed: `PADReader.maximumRows`.
    case tooManyUnknownRows
    /// The zone has no place and is left out.
    case noLocations
    /// So many places were left out that the rest would be another kind of area; the zone is left out.
    case tooFewLocationsLeft(Int)
    /// Nothing in the file is a zone.
    case noZones
    /// There were more than are listed.
    case more(errors: Int, warnings: Int)
  }

  public init(line: Int, zone: Text = .empty, kind: Kind) {
    self.line = line
    self.zone = zone
    self.kind = kind
  }

  /// Whether something was left out or replaced, rather than merely written in an odd way.
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
