import Testing

@testable import Formats

@Suite("OwnTracks recordings")
struct OwnTracksRecordingReaderTests {
  @Test func `locations are fixes, other messages are passed over`() {
    #expect(
      story(
        """
        2026-11-21T11:32:07Z\t*                 \t{"_type":"location","lat":47.5,"lon":8.25,"tst":1795260725,"acc":12,"vel":36,"cog":90}
        2026-11-21T11:32:08Z\t-                 \t{"_type":"lwt","tst":"1795260700"}
        2026-11-21T11:32:09Z\t*                 \t{"_type":"location","lat":47.5,"lon":8.25,"tst":"1795260726","vel":-1,"cog":-1}
        owntracks/anna/phone {"_type":"location","lat":47.5,"lon":8.25,"tst":816953527}

        """, as: .owntracks) == """
          2026-11-21T11:32:05.000Z 47.5,8.25 ±12.0 10.0m/s 90.0° received 2026-11-21T11:32:07.000Z
          2026-11-21T11:32:06.000Z 47.5,8.25 received 2026-11-21T11:32:09.000Z
          2026-11-21T11:32:07.000Z 47.5,8.25
          """)
  }

  @Test func `bad lines are left out, the rest is read`() {
    #expect(
      story(
        """
        nothing
        2026-11-21T11:32:07Z\t*\t{"_type":"location","lat":47.5
        2026-11-21T11:32:07Z\t*\t{"_type":"location","lat":"north","lon":8.25,"tst":1}
        2026-11-21T11:32:07Z\t*\t{"_type":"location","lat":47.5,"lon":8.25}
        2026-11-21T11:32:07Z\t*\t{"_type":"location","lat":47.5,"lon":8.25,"tst":true}
        2026-11-21T11:32:07Z\t*\t{"_type":"location","lat":47.5,"lon":8.25,"tst":1795260727,"acc":"x"}
        """, as: .owntracks) == """
          2026-11-21T11:32:07.000Z 47.5,8.25
          error 1: a line without a message in { } found; it is left out
          error 2: the message is not JSON (the text ends early); it is left out
          error 3: latitude "north" found, a number of degrees expected; the point is left out
          error 4: a point without a time found; it is left out
          error 5: time "true" found, a time like 2026-11-21T11:32:05Z or in Unix seconds expected; \
          the point is left out
          warning 6: accuracy "x" found, a number of metres expected; taken as unstated
          """)
  }

  @Test func `line ends that Recorder wrote as digits are blanks`() {
    for text in [
      #"{ 0A "_type": "location", 0A "lat": 46.05, 0A "lon": 14.5, 0A "tst": 1790000000 0A}"#,
      #"{ 0D 0A 09"_type":"location", 0A 09"lat":46.05, 0A"lon":14.5, 0A"tst":1790000000 0D 0A} 00"#,
      #"{ 0a "_type": "location", "lat": 46.05, "lon": 14.5, 0a "addr": "a \" 0A b", "tst": 1790000000 0a }"#,
    ] {
      #expect(
        story("2026-09-21T14:13:25Z\t*\t\(text)", as: .owntracks)
          == "2026-09-21T14:13:20.000Z 46.05,14.5 received 2026-09-21T14:13:25.000Z", "\(text)")
    }
    // Digits of a value are left alone.
    let told = story(#"{"_type":"location","lat":46.05,"lon": 0A.5,"tst":1790000000}"#, as: .owntracks)
    #expect(told.contains("not JSON"), "\(told)")
  }
}
