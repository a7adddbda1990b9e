import AlarmEngine
import Foundation
import TrackFormats

extension TrackFile {
  /// Reads a track: every fix of the file in the order of the file, duplicates and backward times included.
  ///
  /// Gzip is decompressed. A point without a usable place or time is left out, with an issue that names its
  /// line; the first issues are listed, the rest is counted. Times without a zone are UTC (with a warning).
  /// Memory grows with the number of fixes, not with the size of the file (GeoJSON: and with its longest
  /// feature); time is linear.
  ///   - format: nil detects it by the name's extension, else by the first bytes.
  ///   - assumedDate: the day (UTC) on which a log without dates began; nil takes 1970-01-01 with a warning. NMEA only.
  ///   - progress: called about every megabyte; returns false to stop.
  /// - Throws: `ReadError` if there is no fix at all; `CancellationError` if `progress` returns false.
  public static func read(
    contentsOf url: URL, format: TrackFormat? = nil, assumedDate: Instant? = nil,
    progress: ReadProgress? = nil
  ) throws -> TrackFile {
    try read(ByteSource(contentsOf: url, progress: progress), format: format, assumedDate: assumedDate)
  }

  /// Reads a track held in memory; `name` is used in messages and to detect the format.
  public static func read(
    data: Data, name: String = "", format: TrackFormat? = nil, assumedDate: Instant? = nil,
    progress: ReadProgress? = nil
  ) throws -> TrackFile {
    try read(
      ByteSource(data: data, name: name, progress: progress), format: format, assumedDate: assumedDate)
  }

  /// - Parameter sink: the receiver of the points; nil keeps them.
  static func read(
    _ source: ByteSource, format: TrackFormat?, assumedDate: Instant?, sink: TrackPointSink? = nil
  ) throws -> TrackFile {
    var file = try readAsWritten(source, format: format, assumedDate: assumedDate, sink)
    WeekRollover.settle(&file, now: now)
    return file
  }

  /// The time of this machine's clock, used only to tell possible times from impossible ones.
  static var now: Instant { Instant(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1000)) }

  private static func readAsWritten(
    _ source: ByteSource, format: TrackFormat?, assumedDate: Instant?, _ sink: TrackPointSink?
  ) throws -> TrackFile {
    try source.refuseFIT()
    let format =
      try format ?? TrackFormat(name: source.name)
      ?? TrackFormat(head: source.peek(1 << 16), name: source.name)
    let collector = TrackFileCollector(sink: sink)
    let name = source.label
    switch format {
    case .gpx: return try read(source, with: TrackXMLFileReader(GPXReader(collector), name: name))
    case .csv: return try read(source, with: CSVTrackReader(collector))
    case .geojson:
      return try read(source, with: TrackJSONFileReader(GeoJSONTrackReader(collector), name: name))
    case .kml: return try read(source, with: TrackXMLFileReader(KMLTrackReader(collector), name: name))
    case .kmz: return try readArchive(source, with: KMLTrackReader(collector))
    case .plt: return try PLTReader.read(source, into: collector)
    case .tcx: return try read(source, with: TrackXMLFileReader(TCXReader(collector), name: name))
    case .igc: return try IGCReader.read(source, assumedDate: assumedDate, into: collector)
    case .owntracks: return try read(source, with: OwnTracksRecordingReader(collector))
    case .google:
      return try read(source, with: TrackJSONFileReader(GoogleTimelineReader(collector), name: name))
    case .nmea: return try NMEAReader.read(source, assumedDate: assumedDate, into: collector)
    case .journal: return try PhoneJournalReader.read(source)
    }
  }

  private static func read(_ source: ByteSource, with reader: some TrackFormatReader) throws -> TrackFile {
    while let chunk = try source.next() { try reader.feed(chunk) }
    try reader.finish()
    return try reader.collector.finish(name: source.name, expected: reader.expected)
  }

  private static func readArchive(_ source: ByteSource, with reader: KMLTrackReader) throws -> TrackFile {
    try KMZDocument.read(source, with: reader)
    reader.finishDocuments()
    return try reader.collector.finish(name: source.name, expected: reader.expected)
  }
}

extension TrackFormat {
  /// Returns the format of the name's extension, the one before ".gz"; nil for any other.
  package init?(name: String) {
    switch fileExtension(name) {
    case "gpx": self = .gpx
    case "geojson": self = .geojson
    case "kml": self = .kml
    case "kmz": self = .kmz
    case "csv", "tsv": self = .csv
    case "plt": self = .plt
    case "tcx": self = .tcx
    case "igc": self = .igc
    case "rec": self = .owntracks
    case "nmea", "nma": self = .nmea
    case "journal": self = .journal
    default: return nil
    }
  }

  /// Detects the format by the first bytes of a file.
  /// - Throws: `ReadError` with the list of formats if none matches.
  init(head: [UInt8], name: String) throws {
    var encoding = TextEncoding()
    let bytes = encoding.decode(head, isLast: true)
    let text = TextEncoding.string(bytes.prefix(4096))
    let start = text.drop(while: \.isWhitespace)
    if head.starts(with: [0x50, 0x4b, 3, 4]) {
      self = .kmz
    } else if PhoneJournalReader.begins(head) {
      self = .journal
    } else if start.hasPrefix("<") {
      self = text.contains("<kml") ? .kml : text.contains("<TrainingCenterDatabase") ? .tcx : .gpx
    } else if start.hasPrefix("{") || start.hasPrefix("[") {
      self = GoogleTimelineReader.begins(Array(start.utf8)[...]) ? .google : .geojson
    } else if start.hasPrefix("OziExplorer Track") {
      self = .plt
    } else if Self.isNMEA(start) || Self.holdsSentences(bytes) {
      self = .nmea
    } else if text.contains("\"_type\"") {
      self = .owntracks
    } else if start.hasPrefix("A"), text.contains("\nHFDTE") || text.contains("\rHFDTE") {
      self = .igc
    } else if !text.utf8.contains(0), text.contains(where: { ",;\t".contains($0) }) {
      self = .csv
    } else {
      let formats = TrackFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw ReadError("\(name.isEmpty ? "the file" : name) is none of the known track formats (\(formats))")
    }
  }

  /// True if lines hold NMEA sentences after something else: a time, or the name of a kind as Android's
  /// GnssLogger writes it. A table with such a column has a header row.
  private static func holdsSentences(_ bytes: [UInt8]) -> Bool {
    guard let dollar = bytes.firstIndex(of: UInt8(ascii: "$")), bytes.first != UInt8(ascii: "{") else {
      return false
    }
    var isTable = false
    for line in bytes[..<dollar].split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }).prefix(200)
    where line.first != UInt8(ascii: "#") && line.count < 1 << 12 {
      for delimiter in ",;\t|".utf8
      where CSVTrackReader.isHeader(line, delimiter) {
        isTable = true
      }
    }
    return !isTable && bytes[dollar...].split(separator: UInt8(ascii: "$")).contains { NMEAReader.begins($0) }
  }

  /// True if the first line is a sentence; programs that log receivers write comments before it.
  private static func isNMEA(_ text: Substring) -> Bool {
    let first = text.split(whereSeparator: \.isNewline).lazy.map { $0.drop(while: \.isWhitespace) }
      .first { !$0.isEmpty && !$0.hasPrefix("#") }
    return first?.hasPrefix("$") ?? false || first?.hasPrefix("!") ?? false
  }
}
