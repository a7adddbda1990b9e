import Foundation
import Testing

@testable import Formats

@Suite("NMEA logs")
struct NMEAReaderTests {
  /// The sentence with its checksum.
  private func sentence(_ body: String) -> String {
    let sum = body.utf8.reduce(0) { $0 ^ $1 }
    return "$\(body)*\(sum < 16 ? "0" : "")\(String(sum, radix: 16, uppercase: true))"
  }
  private func log(_ bodies: String...) -> String { bodies.map(sentence).joined(separator: "\r\n") + "\r\n" }

  @Test func `sentences of one time are one fix`() {
    #expect(
      story(
        log(
          "GPGGA,113205.250,4730.000,N,00815.000,E,1,09,0.8,400,M,48,M,,",
          "GPGSA,A,3,01,02,03,,,,,,,,,,1.2,0.8,0.9",
          "GPRMC,113205.250,A,4730.000,N,00815.000,E,36.0,90.0,211126,,,A",
          "GPGST,113205.250,,,,,3.0,4.0,6.0",
          "GNRMC,113206.000,A,4730.600,S,00815.000,W,,,211126,,,A",
          "GNGLL,4730.600,S,00815.000,W,113206.000,A,A",
          "GPGLL,4731.200,N,00815.000,E,113207.000,A"), as: .nmea) == """
          2026-11-21T11:32:05.250Z 47.5,8.25 ±5.0 \(36 * (1852.0 / 3600))m/s 90.0° hdop 0.8
          2026-11-21T11:32:06.000Z -47.51,-8.25
          2026-11-21T11:32:07.000Z 47.52,8.25
          """)
  }

  @Test func `comments before and between sentences are passed over, whatever the file is called`() throws {
    let body = sentence("GNRMC,113206.000,A,4730.600,S,00815.000,W,,,211126,,,A")
    let later = sentence("GNRMC,113207.000,A,4730.600,S,00815.000,W,,,211126,,,A")
    let text = "# a receiver, 9600 8N1\r\n  # lat, lon, time\r\n\r\n\(body)\r\n# restarted\r\n\(later)\r\n"
    #expect(try TrackFormat(head: Array(text.utf8), name: "x.log") == .nmea)
    #expect(
      story(text, as: .nmea) == """
        2026-11-21T11:32:06.000Z -47.51,-8.25
        2026-11-21T11:32:07.000Z -47.51,-8.25
        """)
    #expect(try TrackFormat(head: Array("# lat, lon, time\n1,2,3\n".utf8), name: "x.log") == .csv)
  }

  @Test func `the same sentence twice is two fixes`() {
    let twice = "GPRMC,113205,A,4730.000,N,00815.000,E,,,211126,,,A"
    #expect(
      story(log(twice, twice), as: .nmea) == """
        2026-11-21T11:32:05.000Z 47.5,8.25
        2026-11-21T11:32:05.000Z 47.5,8.25
        """)
  }

  @Test func `midnight passes, and what stands before the first date is dated backwards from it`() {
    #expect(
      story(
        log(
          "GPGGA,235958,4730.000,N,00815.000,E,1,09,,,,,,,",
          "GPGGA,235959,4730.000,N,00815.000,E,1,09,,,,,,,",
          "GPRMC,000000,A,4730.000,N,00815.000,E,,,221126,,,A",
          "GPGGA,000001,4730.000,N,00815.000,E,1,09,,,,,,,",
          "GPGGA,120001,4730.000,N,00815.000,E,1,09,,,,,,,",
          "GPGGA,235959,4730.000,N,00815.000,E,1,09,,,,,,,",
          "GPGGA,000000,4730.000,N,00815.000,E,1,09,,,,,,,"), as: .nmea) == """
          2026-11-21T23:59:58.000Z 47.5,8.25
          2026-11-21T23:59:59.000Z 47.5,8.25
          2026-11-22T00:00:00.000Z 47.5,8.25
          2026-11-22T00:00:01.000Z 47.5,8.25
          2026-11-22T12:00:01.000Z 47.5,8.25
          2026-11-22T23:59:59.000Z 47.5,8.25
          2026-11-23T00:00:00.000Z 47.5,8.25
          """)
  }

  @Test func `a log without dates begins on the day given, else in 1970 with a warning`() {
    let undated = log(
      "GPGGA,235959,4730.000,N,00815.000,E,1,09,,,,,,,", "GPGGA,000000,4730.000,N,00815.000,E,1,09,,,,,,,")
    #expect(
      story(undated, as: .nmea, assumedDate: "2024-02-29") == """
        2024-02-29T23:59:59.000Z 47.5,8.25
        2024-03-01T00:00:00.000Z 47.5,8.25
        """)
    #expect(
      story(undated, as: .nmea) == """
        1970-01-01T23:59:59.000Z 47.5,8.25
        1970-01-02T00:00:00.000Z 47.5,8.25
        warning: no date found; the log is taken to begin on 1970-01-01 (another date can be given)
        """)
    #expect(
      story(
        log("GPZDA,113200,21,11,2026,00,00", "GPGGA,113205,4730.000,N,00815.000,E,1,09,,,,,,,"), as: .nmea)
        == "2026-11-21T11:32:05.000Z 47.5,8.25")
  }

  @Test func `sentences with wrong checksums, places or times are left out`() {
    let good = sentence("GPRMC,113206,A,4730.000,N,00815.000,E,,,211126,,,A")
    #expect(
      story(
        """
        $GPRMC,113205,A,4730.000,N,00815.000,E,,,211126,,,A*00
        \(sentence("GPRMC,113205,V,,,,,,,211126,,,N"))
        \(sentence("GPRMC,113205,A,4760.001,N,00815.000,E,,,211126,,,A"))
        \(sentence("GPRMC,113205,A,9100.000,N,00815.000,E,,,211126,,,A"))
        \(sentence("GPRMC,993205,A,4730.000,N,00815.000,E,,,211126,,,A"))
        !AIVDM,1,1,,A,13u?etPv2;0n:dDPwUM1U1Cb069D,0*24
        noise \u{1}\u{2}
        2026-11-21 \(good)
        $GPRMC,113207,A,4730.000,N,00815.000,E,,,211126,,,A
        $
        $*
        $GPRMC
        """, as: .nmea) == """
          2026-11-21T11:32:06.000Z 47.5,8.25
          2026-11-21T11:32:07.000Z 47.5,8.25
          error 1: checksum 00 found, 7F expected; the sentence is left out
          error 2: the receiver says that it has no position; the point is left out
          error 3: latitude "4760.001" found, a number of degrees expected; the point is left out
          error 4: latitude 91.0 found, -90 to 90 allowed; the point is left out
          error 5: time "993205" found, hhmmss expected; the point is left out
          warning 9: sentences without a checksum found; they are read unverified
          error 11: checksum  found, 0 expected; the sentence is left out
          """)
  }

  @Test func `UTF-16 logs are read`() throws {
    let text = "\u{feff}" + log("GPRMC,113205,A,4730.000,N,00815.000,E,,,211126,,,A")
    let data = try #require(text.data(using: .utf16LittleEndian))
    #expect(story(try read(data, as: .nmea)) == "2026-11-21T11:32:05.000Z 47.5,8.25")
  }

  @Test func `no fix at all says what was expected`() {
    #expect(
      story("hello\n", as: .nmea)
        == "the file holds no fix: sentences like $GPRMC,113205.00,A,4712.34,N,00812.34,E,... expected")
  }

  @Test func `sentences behind a time or a word are known by their content`() throws {
    let sentence = "$GPRMC,141320.00,A,4603.00,N,01430.00,E,,,210926,,"
    for text in [
      "2026-09-21 14:13:20.123 \(sentence)\n", "14:13:20;\(sentence)\n",
      "# Header\n# Fix,Provider,LatitudeDegrees,LongitudeDegrees\nRaw,1,2,3,4\nFix,GPS,46.05,14.5,300.1,1.3,3.8,0.0,1790000000000\n"
        + "NMEA,\(sentence),1790000000000\n",
      String(repeating: "Raw,123456789,,,,,,1.5\n", count: 500) + "NMEA,\(sentence),1790000000000\n",
    ] {
      let read = story(try TrackFile.read(data: Data(text.utf8), name: "log.txt"))
      #expect(read.hasPrefix("2026-09-21T14:13:20.000Z 46.05,14.5"), "\(read)")
    }
    let table = "lat,lon,time,raw\n1,2,2026-09-21T14:13:20Z,\"\(sentence)\"\n"
    #expect(try TrackFormat(head: Array(table.utf8), name: "log.txt") == .csv)
    #expect(try TrackFormat(head: Array("name,price\nbread,$3\n".utf8), name: "x.txt") == .csv)
  }
}
