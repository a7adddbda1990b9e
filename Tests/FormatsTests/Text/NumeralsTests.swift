import Foundation
import Testing

@testable import Formats

@Suite("Digits of other scripts, decimal commas")
struct NumeralsTests {
  /// One latitude, in five scripts.
  private static let latitudes = [
    "46.0512", "46,0512", "٤٦٫٠٥١٢", "٤٦.٠٥١٢", "۴۶٫۰۵۱۲", "४६.०५१२", "４６．０５１２", "๔๖.๐๕๑๒", "\u{200e}۴۶,۰۵۱۲",
  ]

  @Test(arguments: latitudes)
  func `latitudes are read in whatever digits, in every format`(latitude: String) throws {
    let expected = "2026-06-21T14:13:20.000Z 46.0512,-14.5"
    #expect(
      story(
        "<gpx><trk><trkseg><trkpt lat=\"\(latitude)\" lon=\"-14,5\"><time>2026-06-21T14:13:20Z</time></trkpt></trkseg></trk></gpx>",
        as: .gpx) == expected)
    #expect(
      story(
        """
        <TrainingCenterDatabase><Trackpoint><Time>2026-06-21T14:13:20Z</Time><Position><LatitudeDegrees>\(latitude)\
        </LatitudeDegrees><LongitudeDegrees>−14,5</LongitudeDegrees></Position></Trackpoint></TrainingCenterDatabase>
        """, as: .tcx) == expected)
    #expect(
      story(
        """
        <kml><Placemark><Track><when>2026-06-21T14:13:20Z</when><coord>-14,5 \(latitude) 3</coord></Track></Placemark></kml>
        """, as: .kml) == expected)
    #expect(story("lat;lon;time\n\(latitude);-14,5;2026-06-21T14:13:20Z", as: .csv) == expected)
    #expect(story("lat,lon,time\n\"\(latitude)\",\"-14,5\",2026-06-21T14:13:20Z", as: .csv) == expected)
    #expect(
      story(
        #"{"_type":"location","lat":"\#(latitude)","lon":"-14,5","tst":"1782051200"}"#, as: .owntracks)
        == expected)
    #expect(
      story(
        #"{"type":"Point","coordinates":["-14,5","\#(latitude)"],"properties":{"time":"2026-06-21T14:13:20Z"}}"#,
        as: .geojson) == expected)
  }

  @Test(arguments: [
    "۲۰۲۶-۰۶-۲۱T۱۴:۱۳:۲۰Z", "٢٠٢٦-٠٦-٢١ ١٤:١٣:٢٠+00:00", "२०२६-०६-२१T१४:१३:२०Z", "２０２６－０６－２１Ｔ１４：１３：２０Ｚ",
    "१७८२०५१२००", "1782051200,0", "٢٠٢٦٠٦٢١١٤١٣٢٠", "2026-06-21T14:13:20,000Z",
  ])
  func `times are read in whatever digits`(time: String) {
    guard case .time(let instant, _) = Timestamp.read(time) else {
      Issue.record("\(time) is not read")
      return
    }
    #expect(instant.millisecondsSince1970 == 1_782_051_200_000)
  }

  @Test(arguments: [
    "1,234", "12,345", "123,456", "1,234,567", "1,234.5", "1.234,5", "46,05,14", "46, 05", "46,", ",5",
    "-1,234",
    "١,٢٣٤", "١٬٢٣٤", "4²", "Ⅳ", "४x", "٤٦٫٠٥٫١٢", "1'234",
  ])
  func `a number that could mean two things is none`(text: String) {
    #expect(NumberField(text) == .words(text))
  }

  @Test func `a comma that can only be a decimal mark is one`() {
    for (text, value) in [
      ("12,5", 12.5), ("0,125", 0.125), ("-0,125", -0.125), ("1234,567", 1234.567), ("8,5", 8.5),
      ("1,2345", 1.2345),
      ("٨,٥", 8.5), ("+3,25", 3.25),
    ] { #expect(NumberField(text) == .number(value), "\(text)") }
    #expect(NumberField.degrees("46,051") == .number(46.051))
    #expect(NumberField.degrees("46,05,1") == .words("46,05,1"))
  }

  @Test func `the degrees of a row show what its commas are`() {
    #expect(
      story("lat;lon;acc;time\n46,0512;14,505;1,234;1790000000\n46.0512;14.505;1,234;1790000001", as: .csv)
        == """
        2026-09-21T14:13:20.000Z 46.0512,14.505 ±1.234
        2026-09-21T14:13:21.000Z 46.0512,14.505
        warning 3: accuracy "1,234" found, a number of metres expected; taken as unstated
        """)
  }

  @Test func `parts beyond a height are another form, of which none is taken`() {
    let told = story(
      "<kml><Track><when>2026-09-21T14:13:20Z</when><coord>14.5 46.05 3 9</coord></Track></kml>", as: .kml)
    #expect(told.contains("latitude \"14.5 46.05 3 9\" found"), "\(told)")
  }

  @Test func `phones' parameters are read in whatever digits`() {
    for (path, query) in [
      ("/osmand/tok/x", "lat=46,0512&lon=-14,5&accuracy=8,5&timestamp=1790000000"),
      ("/osmand/tok/x", "location=46,0512;-14,5&accuracy=٨٫٥&timestamp=۱۷۹۰۰۰۰۰۰۰"),
      ("/osmand/tok/x", "lat=٤٦٫٠٥١٢&lon=%E2%88%92١٤٫٥&accuracy=8.5&timestamp=1790000000"),
      ("/traccar/tok", "id=1&lat=46,0512&lon=-14,5&accuracy=8,5&timestamp=1790000000"),
      ("/gpslogger/tok", "lat=46,0512&lon=-14,5&acc=8,5&timestamp=1790000000"),
      ("/gpslogger/tok", "lat=۴۶٫۰۵۱۲&lon=-۱۴٫۵&acc=۸٫۵&timestamp=۱۷۹۰۰۰۰۰۰۰"),
      ("/logGet/tok/x", "lat=46,0512&lon=-14,5&acc=8,5&timestamp=1790000000"),
    ] {
      let report = phoneReport(path, query: query)
      #expect(report.fixes.map(\.fix.position.latitude.degrees) == [46.0512], "\(query)")
      #expect(report.fixes.map(\.fix.position.longitude.degrees) == [-14.5], "\(query)")
      #expect(report.fixes.map(\.fix.accuracy) == [.radius(.metres(8.5))], "\(query)")
      #expect(report.fixes.map(\.fix.measuredAt.millisecondsSince1970) == [1_790_000_000_000], "\(query)")
      #expect(!report.needsRawBody)
    }
  }

  @Test func `a position as one parameter has two parts`() {
    for text in ["46,05,14,5", "46", "46.05,14.5,3"] {
      let report = phoneReport("/osmand/tok/x", query: "location=\(text)&timestamp=1790000000")
      #expect(report.fixes.isEmpty)
      #expect(report.issues.first?.message.contains("\"\(text)\" found") == true, "\(report.issues)")
    }
  }

  @Test func `JSON of phones is read with commas in its numbers`() {
    for body in [
      #"{"lat":"46,0512","lon":"-14,5","acc":"8,5","t":1790000000}"#,
      #"{"lat":46,0512,"lon":-14,5,"acc":8,5,"t":1790000000}"#,
      #"{"acc":8,5,"t":1790000000,"lat":۴۶٫۰۵۱۲,"lon":-14,5}"#,
    ] {
      let report = phoneReport("/gpslogger/tok", body)
      #expect(report.fixes.map(\.fix.position.latitude.degrees) == [46.0512], "\(body)")
      #expect(report.fixes.map(\.fix.position.longitude.degrees) == [-14.5], "\(body)")
      #expect(report.fixes.map(\.fix.accuracy) == [.radius(.metres(8.5))], "\(body)")
    }
    // In an array it may be two numbers.
    #expect(
      phoneReport("/overland/tok", #"{"locations":[{"geometry":{"coordinates":[14,5,46,05]}}]}"#).fixes
        .isEmpty)
    // An ambiguous accuracy is reported, and the position is kept without it.
    let report = phoneReport("/gpslogger/tok", query: "lat=46,0512&lon=-14,5&acc=1,234&timestamp=1790000000")
    #expect(report.fixes.map(\.fix.accuracy) == [.unstated])
    #expect(
      report.issues.map(\.message) == [
        "accuracy \"1,234\" found, a number of metres expected; taken as unstated"
      ])
  }
}
