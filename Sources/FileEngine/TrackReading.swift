import AlarmEngine
import TrackFormats
import WebEngine
import ZoneFormats

/// A track that is read for a page, as rows of numbers (``FixRow``): the positions of all devices in the order of the file.
final class TrackReading {
  private let reader: any TrackFormatReader
  private let sink: TrackPointSink
  private let rows: TrackRows
  private var moved = 0
  private var isFinished = false

  /// - Parameters:
  ///   - start: the first bytes of the file, by which forms of JSON are told apart.
  ///   - now: the present, which tells possible times from impossible ones.
  /// - Returns: nil for a format that is none.
  init?(_ format: Text, start: [UInt8], now: Instant) {
    let rows = TrackRows()
    let sink = TrackPointSink(now: now) { _, points in rows.add(points) }
    guard let reader = Self.reader(format, start, TrackFileCollector(sink: sink, countsOnly: true)) else {
      return nil
    }
    (self.rows, self.sink, self.reader) = (rows, sink, reader)
  }

  func feed(_ bytes: [UInt8]) throws(ReadError) { try reader.feed(bytes) }

  func finish() throws(ReadError) {
    try reader.finish()
    moved = sink.settleHeld(madeAt: reader.collector.madeAt).moved
    sink.finish()
    isFinished = true
  }

  /// Removes the next rows; at the end of the file the answer has what else is known of it.
  func portion() -> [UInt8] {
    var entries: [PageValue.Entry] = [
      .init("rows", .bytes(rows.next())), .init("more", .bool(!rows.isEmpty)),
    ]
    if isFinished { entries += summary() }
    return PageValue.map(entries).cbor
  }

  private func summary() -> [PageValue.Entry] {
    let found = reader.collector
    let counts = found.counts
    var entries: [PageValue.Entry] = [
      .init("name", .text(Text(found.name))), .init("timed", .bool(found.sawTime)),
      .init("untimed", .integer(Int64(counts.untimed))),
      .init("impossible", .integer(Int64(counts.impossible))),
      .init("damaged", .integer(Int64(counts.others))), .init("moved", .integer(Int64(moved))),
    ]
    if let first = counts.firstImpossible {
      entries.append(.init("why", .text(first == .latitude ? "latitude" : "longitude")))
    }
    return entries
  }

  private static func reader(
    _ format: Text, _ start: [UInt8], _ collector: TrackFileCollector
  ) -> (any TrackFormatReader)? {
    switch format {
    case "gpx": return TrackXMLFileReader(GPXReader(collector), name: "")
    case "kml": return TrackXMLFileReader(KMLTrackReader(collector), name: "")
    case "tcx": return TrackXMLFileReader(TCXReader(collector), name: "")
    case "csv": return CSVTrackReader(collector)
    case "owntracks": return OwnTracksRecordingReader(collector)
    case "json":
      var encoding = TextEncoding()
      let text = encoding.decode(start, isLast: true).prefix(4096)[...]
      guard GoogleTimelineReader.begins(text.trimmed) else {
        return TrackJSONFileReader(GeoJSONTrackReader(collector), name: "")
      }
      return TrackJSONFileReader(GoogleTimelineReader(collector), name: "")
    default: return nil
    }
  }
}

/// Rows that were read and not handed over.
private final class TrackRows {
  private var parts: [[UInt8]] = []
  private var handed = 0
  /// The most parts of one answer: a megabyte.
  private static let portion = 8

  var isEmpty: Bool { handed == parts.count }

  func add(_ points: [TrackFile.Point]) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(points.count * FixRow.width * 8)
    for point in points {
      for number in FixRow.numbers(point.fix) {
        let bits = number.bitPattern
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
          bytes.append(UInt8(truncatingIfNeeded: bits >> shift))
        }
      }
    }
    parts.append(bytes)
  }

  func next() -> [UInt8] {
    var bytes: [UInt8] = []
    var count = 0
    while handed < parts.count, count < Self.portion {
      bytes += parts[handed]
      parts[handed] = []
      handed += 1
      count += 1
    }
    if isEmpty { (parts, handed) = ([], 0) }
    return bytes
  }
}
