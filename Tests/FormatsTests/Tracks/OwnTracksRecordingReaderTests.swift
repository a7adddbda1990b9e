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
}
