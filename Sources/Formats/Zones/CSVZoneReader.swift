import AlarmEngine
import Foundation
import Geometry
import PAD

/// Reads zones from tables of places: a header row with `latitude` and `longitude`, then one circle per row.
///
/// Fields are separated by comma, semicolon, tab or bar; decimal commas are read if the comma does not
/// separate. Every other column is a property (`ZoneProperties`): `name`, `category`, `radius`, `radius_km`
/// and ours. A table with a column of times is a track.
struct CSVZoneReader {
  private static let delimiters = ",;\t|".utf8.map(\.self)
  private static let latitudes: Set = ["latitude", "lat"]
  private static let longitudes: Set = ["longitude", "lon", "lng", "long"]
  private static let times: Set = ["time", "timestamp", "datetime", "utc", "utctime", "gpstime", "fixtime"]
  /// The columns that give the sign of degrees in other columns.
  private static let hemispheres: Set = [
    "ns", "ew", "hemisphere", "lathem", "lonhem", "latref", "lonref", "latns", "lonew", "latitudehemisphere",
    "longitudehemisphere",
    "latituderef", "longituderef", "latitudens", "longitudeew", "latdir", "londir", "nsindicator",
    "ewindicator",
  ]

  private struct Header {
    let delimiter: UInt8
    let names: [String]
    let latitude: Int
    let longitude: Int
  }

  static func read(_ source: ByteSource, into builder: inout ZoneFileBuilder) throws {
    guard let header = header(try source.peek(1 << 16)) else {
      throw ReadError("\(source.label): a header row with the columns latitude and longitude expected")
    }
    let plain = header.names.map(plain)
    for (refused, why) in [
      (times, "the file holds a track, not zones"), (hemispheres, "write signed degrees instead"),
    ] {
      if let index = plain.firstIndex(where: refused.contains) {
        throw ReadError("\(source.label): a column \"\(header.names[index].prefix(60))\" found: \(why)")
      }
    }
    var encoding = TextEncoding()
    var splitter = CSVTrackSplitter(delimiter: header.delimiter)
    var sawHeader = false
    var rows = 0
    func take(_ record: CSVTrackSplitter.Record) {
      guard !record.isBlank, !record.isComment, sawHeader || !isSeparatorLine(text(record[0])) else {
        return
      }
      guard sawHeader else {
        sawHeader = true
        return
      }
      rows += 1
      add(record, header, to: &builder)
    }
    while let chunk = try source.next() { splitter.take(encoding.decode(chunk), take) }
    splitter.take(encoding.decode([], isLast: true), take)
    splitter.finish(take)
    if rows == 0 { builder.report(.error, "no row below the header found") }
  }

  /// True if a text begins with the header row of a table of places that is no track.
  static func isTable(_ start: [UInt8]) -> Bool {
    guard let header = header(start) else { return false }
    return !header.names.map(plain).contains(where: times.contains)
  }

  private static func header(_ start: [UInt8]) -> Header? {
    var encoding = TextEncoding()
    let text = TextEncoding.string(encoding.decode(start, isLast: true)[...])
    let lines = text.split(whereSeparator: \.isNewline).prefix(20)
    guard
      let line = lines.first(where: { line in
        let line = line.trimmingCharacters(in: .whitespaces)
        return !line.isEmpty && !line.hasPrefix("#") && !isSeparatorLine(line)
      })
    else { return nil }
    for delimiter in delimiters {
      var records: [CSVTrackSplitter.Record] = []
      var splitter = CSVTrackSplitter(delimiter: delimiter)
      splitter.take(Array(line.utf8)) { records.append($0) }
      splitter.finish { records.append($0) }
      guard records.count == 1 else { continue }
      let names = (0..<records[0].count).map { Self.text(records[0][$0]) }
      let plain = names.map(plain)
      guard let latitude = plain.firstIndex(where: latitudes.contains),
        let longitude = plain.firstIndex(where: longitudes.contains)
      else { continue }
      return Header(delimiter: delimiter, names: names, latitude: latitude, longitude: longitude)
    }
    return nil
  }

  private static func add(
    _ record: CSVTrackSplitter.Record, _ header: Header, to builder: inout ZoneFileBuilder
  ) {
    // Empty fields at the end are ignored.
    let fields = (0..<record.count).map { text(record[$0]) }
    guard fields.dropFirst(header.names.count).allSatisfy(\.isEmpty) else {
      builder.report(
        .error, line: record.line,
        "a row of \(fields.count) fields found, \(header.names.count) allowed; it is left out")
      return
    }
    let isComma = header.delimiter == UInt8(ascii: ",")
    var members: [(String, JSONValue)] = []
    var stated: String?
    for (name, field) in zip(header.names, fields) where !name.isEmpty && !field.isEmpty {
      let lower = name.lowercased()
      if lower == "id" { stated = field }
      let member = known[lower]
      // A name may look like a number.
      let isText = member != nil && member?.number == nil
      members.append(
        (member == nil ? name : lower, .string(isText ? field : plainNumber(field, isComma: isComma))))
    }
    let placed = [header.latitude, header.longitude]
    members.removeAll { member in placed.contains { header.names[$0] == member.0 } }
    let properties = ZoneProperties(members)
    let label = ZoneFileBuilder.label(properties.name)
    let written = placed.map { $0 < fields.count ? fields[$0] : "" }
    let degrees = written.map { NumberField.degrees($0).number }
    guard let latitude = degrees[0], let longitude = degrees[1],
      let place = try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    else {
      builder.report(
        .error, line: record.line,
        "\(label): latitude \"\(written[0].prefix(30))\", longitude \"\(written[1].prefix(30))\" found, degrees within ±90 and ±360 "
          + "allowed; it is left out")
      return
    }
    builder.add(properties, outline: .locations([place]), stated: stated, line: record.line)
  }

  /// A number in ASCII with a point.
  private static func plainNumber(_ field: String, isComma: Bool) -> String {
    let (comma, bytes) = (UInt8(ascii: ","), Array(field.utf8))
    let plain = (Numerals.plain(bytes[...]) ?? bytes)[...].trimmed
    if DecimalNumber.parse(plain) != nil { return String(decoding: plain, as: UTF8.self) }
    guard !isComma, plain.count(where: { $0 == comma }) == 1, DecimalNumber.parse(plain, mark: comma) != nil
    else {
      return field
    }
    return String(decoding: plain, as: UTF8.self).replacing(",", with: ".")
  }

  private static func text(_ field: ArraySlice<UInt8>) -> String { TextEncoding.string(field.trimmed) }
  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }
  private static func isSeparatorLine(_ line: String) -> Bool { line.lowercased().hasPrefix("sep=") }
  private static let known = Dictionary(
    ZoneMember.allCases.flatMap { member in member.propertyNames.map { ($0.string, member) } },
    uniquingKeysWith: { first, _ in first })
}
