import AlarmEngine
import Geometry
import PAD

/// Reads zones from tables of places: a header row with `latitude` and `longitude`, then one circle per row.
///
/// Fields are separated by comma, semicolon, tab or bar; decimal commas are read if the comma does not
/// separate. Every other column is a property (`ZoneProperties`): `name`, `category`, `radius`, `radius_km`
/// and ours. A table with a column of times is a track.
package final class CSVZoneReader: ZoneFormatReader {
  private static let delimiters = Array(",;\t|".utf8)
  private static let latitudes: Set<String> = ["latitude", "lat"]
  private static let longitudes: Set<String> = ["longitude", "lon", "lng", "long"]
  private static let times: Set<String> = [
    "time", "timestamp", "datetime", "utc", "utctime", "gpstime", "fixtime",
  ]
  /// The columns that give the sign of degrees in other columns.
  private static let hemispheres: Set<String> = [
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

  package var builder: ZoneFileBuilder
  /// The file, for messages.
  private let name: String
  private var encoding = TextEncoding()
  /// The beginning of the file, until the header row is read.
  private var head: [UInt8] = []
  private static let headLength = 1 << 16
  private var table: (header: Header, splitter: CSVSplitter)?
  private var sawHeader = false
  private var rows = 0

  /// - Parameter name: the file, for messages.
  package init(_ builder: ZoneFileBuilder, name: String) {
    self.builder = builder
    self.name = name
  }

  package func feed(_ chunk: [UInt8]) throws(ReadError) { try take(encoding.decode(chunk)) }

  package func finish() throws(ReadError) {
    try take(encoding.decode([], isLast: true))
    if table == nil { try begin() }
    guard let header = table?.header else { return }
    table?.splitter.finish { take($0, header) }
    if rows == 0 { builder.report(.error, "no row below the header found") }
  }

  private func take(_ text: [UInt8]) throws(ReadError) {
    guard table == nil else { return split(text) }
    head += text
    if head.count >= Self.headLength { try begin() }
  }

  private func begin() throws(ReadError) {
    guard let header = Self.header(head.prefix(Self.headLength)) else {
      throw ReadError("\(name): a header row with the columns latitude and longitude expected")
    }
    for (refused, why) in [
      (Self.times, "the file holds a track, not zones"), (Self.hemispheres, "write signed degrees instead"),
    ] {
      if let column = header.names.first(where: { refused.contains(Self.plain($0)) }) {
        throw ReadError("\(name): a column \"\(column.prefix(60))\" found: \(why)")
      }
    }
    table = (header, CSVSplitter(delimiter: header.delimiter))
    let first = head
    head = []
    split(first)
  }

  private func split(_ text: [UInt8]) {
    guard let header = table?.header else { return }
    table?.splitter.take(text) { take($0, header) }
  }

  private func take(_ record: CSVSplitter.Record, _ header: Header) {
    guard !record.isBlank, !record.isComment, sawHeader || !Self.isSeparatorLine(Self.text(record[0])) else {
      return
    }
    guard sawHeader else {
      sawHeader = true
      return
    }
    rows += 1
    add(record, header)
  }

  /// True if a text begins with the header row of a table of places that is no track.
  static func isTable(_ start: [UInt8]) -> Bool {
    var encoding = TextEncoding()
    guard let header = header(encoding.decode(start, isLast: true)[...]) else { return false }
    return !header.names.contains { times.contains(plain($0)) }
  }

  private static func header(_ text: ArraySlice<UInt8>) -> Header? {
    let lines = text.split { $0 == 0x0a || $0 == 0x0d }.prefix(20)
    guard
      let line = lines.first(where: { line in
        let line = line.trimmed
        return !line.isEmpty && line.first != UInt8(ascii: "#") && !isSeparatorLine(Self.text(line))
      })
    else { return nil }
    for delimiter in delimiters {
      var records: [CSVSplitter.Record] = []
      var splitter = CSVSplitter(delimiter: delimiter)
      splitter.take(Array(line.trimmed)) { records.append($0) }
      splitter.finish { records.append($0) }
      guard records.count == 1 else { continue }
      let names = (0..<records[0].count).map { Self.text(records[0][$0]) }
      guard let latitude = names.firstIndex(where: { latitudes.contains(plain($0)) }),
        let longitude = names.firstIndex(where: { longitudes.contains(plain($0)) })
      else { continue }
      return Header(delimiter: delimiter, names: names, latitude: latitude, longitude: longitude)
    }
    return nil
  }

  private func add(_ record: CSVSplitter.Record, _ header: Header) {
    // Empty fields at the end are ignored.
    let fields = (0..<record.count).map { Self.text(record[$0]) }
    guard fields.dropFirst(header.names.count).allSatisfy({ $0.isEmpty }) else {
      builder.report(
        .error, .noGeometry, line: record.line,
        "a row of \(fields.count) fields found, \(header.names.count) allowed; it is left out")
      return
    }
    let isComma = header.delimiter == UInt8(ascii: ",")
    var members: [(String, JSONValue)] = []
    var stated: String?
    for (name, field) in zip(header.names, fields) where !name.isEmpty && !field.isEmpty {
      let lower = name.lowercased()
      if lower == "id" { stated = field }
      let member = Self.known[lower]
      // A name may look like a number.
      let isText = member != nil && member?.number == nil
      members.append(
        (
          member == nil ? name : lower,
          .string(isText ? field : Self.plainNumber(field, isComma: isComma))
        ))
    }
    let placed = [header.latitude, header.longitude]
    members.removeAll { member in placed.contains { header.names[$0] == member.0 } }
    let properties = ZoneProperties(members)
    let written = placed.map { $0 < fields.count ? fields[$0] : "" }
    let degrees = written.map { NumberField.degrees($0).number }
    guard let latitude = degrees[0], let longitude = degrees[1],
      let place = try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    else {
      builder.report(
        .error, .noGeometry, line: record.line, zone: properties.name,
        "latitude \"\(written[0].prefix(30))\", longitude \"\(written[1].prefix(30))\" found, degrees within ±90 and ±360 "
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
    return String(decoding: plain.map { $0 == comma ? UInt8(ascii: ".") : $0 }, as: UTF8.self)
  }

  private static func text(_ field: ArraySlice<UInt8>) -> String { TextEncoding.string(field.trimmed) }
  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }
  private static func isSeparatorLine(_ line: String) -> Bool { line.lowercased().hasPrefix("sep=") }
  private static let known: [String: ZoneMember] = {
    var known: [String: ZoneMember] = [:]
    for member in ZoneMember.allCases {
      for name in member.propertyNames where known[name.string] == nil { known[name.string] = member }
    }
    return known
  }()
}
