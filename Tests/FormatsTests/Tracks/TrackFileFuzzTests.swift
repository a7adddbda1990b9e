import AlarmEngine
import Foundation
import TestSupport
import Testing

@testable import Formats

/// One small file of each format, with one of everything.
private let samples: [(format: TrackFormat, text: String)] = [
  (
    .gpx,
    """
    <?xml version="1.0" encoding="UTF-8"?><gpx version="1.1"><!-- made up --><trk><name><![CDATA[A & B]]></name><trkseg>
    <trkpt lat="47.5" lon="8.25"><ele>4</ele><time>2026-11-21T11:32:05Z</time><hdop>1</hdop></trkpt>
    <trkpt lat="47.6" lon="8.25"><time>2026-11-21T11:32:06.5+01:00</time><extensions><hAcc>5</hAcc></extensions></trkpt>
    </trkseg></trk><rte><rtept lat="1" lon="2"/></rte></gpx>
    """
  ),
  (
    .geojson,
    """
    {"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"LineString","coordinates":
    [[8.25,47.5],[8.25,47.75,400]]},"properties":{"coordTimes":["2026-11-21T11:32:05Z",1795260726],"n":"\\u00e9\\n"}},
    {"type":"Feature","geometry":{"type":"Point","coordinates":[8,47]},"properties":{"time":1,"accuracy":5.5e0}}]}
    """
  ),
  (
    .kml,
    """
    <kml xmlns:gx="http://www.google.com/kml/ext/2.2"><Placemark><gx:Track><when>2026-11-21T11:32:05Z</when>
    <gx:coord>8.25 47.5 0</gx:coord><when>2026-11-21T11:32:06Z</when><gx:coord>8.25 47.5 0</gx:coord>
    <ExtendedData><SchemaData><gx:SimpleArrayData name="accuracy"><gx:value>5</gx:value></gx:SimpleArrayData>
    </SchemaData></ExtendedData></gx:Track></Placemark></kml>
    """
  ),
  (
    .csv,
    "# remark\r\nat;id;\"lat\";lon;accuracy_m;name\r\n1795260725,25;1;47,5;8,25;5;\"a \"\"b\"\"\r\nc\"\r\n1795260726;2;47,5;8,25;-1;x\r\n"
  ),
  (
    .plt,
    """
    OziExplorer Track Point File Version 2.1
    WGS 84
    Altitude is in Feet
    Reserved 3
    0,2,255,A walk,0,0,2,8421376
    0
    47.5,8.25,0,1312,46347.4806134259,2026-11-21,11:32:05
    47.5,8.25,0,1312,46347.5
    """
  ),
  (
    .tcx,
    """
    <TrainingCenterDatabase><Trackpoint><Time>2026-11-21T11:32:05.000Z</Time><Position>
    <LatitudeDegrees>47.5</LatitudeDegrees><LongitudeDegrees>8.25</LongitudeDegrees></Position></Trackpoint>
    </TrainingCenterDatabase>
    """
  ),
  (
    .igc,
    "HFDTE211126\r\nI023638FXA3941GSP\r\nB2359594730000N00815000EA0040000410012036\r\nB0000004730000N00815000EA0040000410012036\r\n"
  ),
  (
    .owntracks,
    """
    2026-11-21T11:32:07Z\t*       \t{"_type":"location","lat":47.5,"lon":8.25,"tst":1795260725,"acc":12,"vel":36}
    2026-11-21T11:32:08Z\t-       \t{"_type":"lwt","tst":"1795260700"}
    """
  ),
  (
    .google,
    """
    {"semanticSegments":[{"startTime":"2026-11-21T10:00:00.000+01:00","endTime":"2026-11-21T12:00:00.000+01:00",
    "timelinePath":[{"point":"47.5°, 8.25°","time":"2026-11-21T11:32:00.000+01:00"}]},{"startTime":"2026-11-21T12:00:00Z",
    "endTime":"2026-11-21T13:00:00Z","visit":{"hierarchyLevel":0,"topCandidate":{"placeLocation":{"latLng":"geo:47.5,8.25"}}}}],
    "rawSignals":[{"position":{"LatLng":"47.5°, 8.25°","accuracyMeters":12,"timestamp":"2026-11-21T11:32:05Z"}}]}
    """
  ),
  (
    .google,
    """
    {"timelineObjects":[{"activitySegment":{"startLocation":{"latitudeE7":475000000,"longitudeE7":82500000},"duration":
    {"startTimestamp":"2026-11-21T11:32:05Z","endTimestampMs":"1795260726000"},"endLocation":{"latitudeE7":475000000,
    "longitudeE7":4212467296},"waypointPath":{"waypoints":[{"latE7":1}]},"simplifiedRawPath":{"points":[{"latE7":475000000,
    "lngE7":82500000,"timestamp":"2026-11-21T11:32:05Z"}]}}},{"placeVisit":{"centerLatE7":1,"centerLngE7":2}}],
    "timelineEdits":[{"rawSignal":{"signal":{"position":{"point":{"latE7":1,"lngE7":2},"timestamp":"2026-11-21T11:32:05Z"}}}}]}
    """
  ),
  (
    .csv,
    "lat,N/S,lon,E/W,time,received_at\n\"47,5\",S,8.25 w,,\"Sat, 21 Nov 2006 11:32:05 GMT\",2026-11-21T11:32:05Z\n"
      + "٤٧٫٥,N,8.25,west,۲۰۰۷-۰۴-۰۷T۱۱:۳۲:۰۵Z,2026-11-21T11:32:05Z\n"
  ),
  (
    .owntracks,
    "2026-11-21T11:32:07Z\t*\t{ 0A \"_type\":\"location\", 0A 09\"lat\":47.5,\"lon\":\"8,25\",\"tst\":1795260725 0A}\n"
  ),
  (
    .nmea,
    """
    $GPGGA,113205,4730.000,N,00815.000,E,1,09,0.8,400,M,48,M,,
    $GPRMC,113205,A,4730.000,N,00815.000,E,36.0,90.0,211126,,,A*00
    $GPRMC,113206,A,4730.000,N,00815.000,E,36.0,90.0,211126,,,A
    $GPZDA,113206,21,11,2026,00,00
    """
  ),
]

@Suite("Every track format")
struct TrackFileFuzzTests {
  /// Tokens that are difficult for parsers.
  private static let nasty: [String] = [
    "\"", ",", ";", "\n", "\r", "\0", "-", "+", ".", "e9999", "9999999999999999999999", "NaN", "<", ">", "&",
    "</trkpt>", "<gpx>",
    "]]>", "<![CDATA[", "<!DOCTYPE x [", "[", "]", "{", "}", "\\u", "\\", "$", "*", "\u{feff}", "\u{1f600}",
    "T24:00:00Z", "B", "I99",
    "0000-00-00", "-0", "1e-400", "%s",
  ]

  @Test(arguments: samples.indices)
  func `read from any mutation of a file ends, in an answer or an error of ours`(sample: Int) {
    let (format, text) = samples[sample]
    var random = SeededGenerator(seed: UInt64(sample))
    for round in 0..<400 {
      var bytes = Array(text.utf8)
      for _ in 0...Int(random.next() % 4) { mutate(&bytes, &random) }
      do {
        let file = try read(Data(bytes), as: format)
        let sound = file.devices.allSatisfy { device in
          device.points.allSatisfy { Instant.allowed.contains($0.fix.measuredAt) }
        }
        #expect(sound && !file.devices.isEmpty && file.issues.count <= 104, "\(format), round \(round)")
      } catch is ReadError {
      } catch { Issue.record("\(format), round \(round): \(error)") }
    }
  }

  private func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    let place = Int(random.next() % UInt64(bytes.count + 1))
    switch random.next() % 5 {
    case 0: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
    case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1 + Int(random.next() % 8)))
    case 2:
      bytes.insert(contentsOf: Self.nasty[Int(random.next() % UInt64(Self.nasty.count))].utf8, at: place)
    case 3: bytes.removeLast(bytes.count - place)
    default:
      let end = min(bytes.count, place + Int(random.next() % 40))
      bytes.insert(contentsOf: bytes[place..<end], at: Int(random.next() % UInt64(bytes.count + 1)))
    }
  }

  @Test(arguments: samples.indices)
  func `reads the same however the bytes are cut into pieces`(sample: Int) throws {
    let (format, text) = samples[sample]
    for encoding in [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian] {
      // XML declares UTF-8 in its first line; a parser may use either.
      if encoding != .utf8, text.hasPrefix("<") { continue }
      let data = try #require(text.data(using: encoding))
      let whole = story(try read(data, as: format))
      for chunk in [1, 2, 3, 7, 64] {
        #expect(
          story(try read(data, as: format, chunk: chunk)) == whole,
          "\(format), \(encoding), pieces of \(chunk)")
      }
    }
  }

  @Test(arguments: samples.indices)
  func `handed over in parts they are the same points and issues`(sample: Int) throws {
    let (format, text) = samples[sample]
    let whole = try read(text, as: format)
    for chunk in [1, 64, 1 << 18] {
      var devices: [TrackFile.Device] = []
      let source = ByteSource(data: Data(text.utf8), name: "", chunkSize: chunk, progress: nil)
      let (count, issues) = try TrackFile.stream(source, format: format) { device, points in
        devices.append(TrackFile.Device(name: device, points: points))
      }
      #expect(
        story(TrackFile(devices: devices, issues: issues)) == story(whole), "\(format), pieces of \(chunk)")
      #expect(count == whole.devices.reduce(0) { $0 + $1.points.count })
    }
  }

  @Test func `a long track comes in parts, and an error of who takes them ends it`() throws {
    struct Enough: Error {}
    let table = Data(("lat,lon,time\n" + (0..<50_000).map { "1,2,\($0)\n" }.joined()).utf8)
    var sizes: [Int] = []
    let (count, _) = try TrackFile.stream(data: table, name: "x.csv") { _, points in
      sizes.append(points.count)
    }
    #expect(count == 50_000 && sizes.allSatisfy { $0 == TrackPointSink.partSize } && sizes.count == 25)
    sizes = []
    let long = Data(("lat,lon,time\n" + (0..<200_000).map { "1,2,\($0)\n" }.joined()).utf8)
    #expect(throws: Enough.self) {
      try TrackFile.stream(data: long, name: "x.csv") { _, points in
        sizes.append(points.count)
        throw Enough()
      }
    }
    #expect(sizes.count == 1)
    #expect(throws: ReadError.self) {
      try TrackFile.stream(data: Data("lat,lon,time\n".utf8), name: "x.csv") { _, _ in }
    }
  }

  @Test(arguments: samples.indices)
  func `is recognised by its first bytes when the name says nothing`(sample: Int) throws {
    let (format, text) = samples[sample]
    let head = format == .igc ? "AXXX\r\n" : ""
    #expect(try TrackFormat(head: Array((head + text).utf8), name: "x") == format)
    // Google's files are called Timeline.json and Records.json, so their names do not tell the format.
    guard format != .google else { return }
    #expect(
      TrackFormat(name: "walk.\(format == .owntracks ? "rec" : format.rawValue.uppercased())") == format)
  }

  @Test(arguments: ["", "hello", "\u{7f}ELF\0\0,"])
  func `what looks like no format is refused with the list of formats`(text: String) {
    #expect(
      throws: ReadError(
        "x is none of the known track formats (gpx, geojson, kml, kmz, csv, plt, tcx, igc, owntracks, google, nmea, journal)"
      )
    ) {
      try TrackFile.read(data: Data(text.utf8), name: "x")
    }
  }

  @Test func `a listener hears every megabyte and can stop it`() throws {
    let table = Data(
      ("lat,lon,time\n" + String(repeating: "1,2,3," + String(repeating: "x", count: 5000) + "\n", count: 250))
        .utf8)
    var heard: [Int] = []
    _ = try TrackFile.read(data: table, name: "x.csv") { done, total in
      heard.append(done)
      #expect(total == table.count)
      return true
    }
    #expect(heard.count == 2 && heard.last == table.count, "\(heard)")
    let xml = Data(
      ("<gpx>" + String(repeating: "<wpt lat=\"1\" lon=\"2\"/>\n", count: 60_000) + "</gpx>").utf8)
    for (data, name) in [(table, "x.csv"), (xml, "x.gpx")] {
      #expect(throws: CancellationError.self) { try TrackFile.read(data: data, name: name) { _, _ in false } }
    }
  }

  /// "lat,lon,time\n1,2,3\n", compressed with gzip.
  private let zipped: [UInt8] = [
    31, 139, 8, 0, 0, 0, 0, 0, 2, 255, 203, 73, 44, 209, 201, 201, 207, 211, 41, 201, 204, 77, 229, 50, 212,
    49, 210, 49, 230, 2, 0, 231, 103, 91, 140, 19, 0, 0, 0,
  ]

  @Test(arguments: [1, 5, 1000])
  func `gzip is unzipped on the way, and says when it ends too early`(chunk: Int) throws {
    func read(_ bytes: [UInt8]) throws -> String {
      let input = ByteSource(data: Data(bytes), name: "a.csv.gz", chunkSize: chunk, progress: nil)
      return story(try TrackFile.read(input, format: nil, assumedDate: nil))
    }
    #expect(try read(zipped) == "1970-01-01T00:00:03.000Z 1.0,2.0")
    #expect(throws: ReadError("a.csv.gz: the zipped data ends too early")) { try read(zipped.dropLast(6)) }
  }

  @Test func `a file that is not there is an error that names it`() {
    #expect(throws: ReadError.self) {
      try TrackFile.read(contentsOf: URL(fileURLWithPath: "/nowhere/at/all.gpx"))
    }
  }
}
