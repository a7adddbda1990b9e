import Testing

@testable import Formats

@Suite("IGC flights")
struct IGCReaderTests {
  @Test func `B records are fixes of the day of HFDTE, over midnight too`() {
    #expect(
      story(
        """
        AXXXABC\r
        HFDTE211126\r
        HFFXA035\r
        C211126100000000000000001\r
        B2359594730000N00815000EA0040000410\r
        B0000004730600S00815000WV0000000410\r
        LXXXRemark\r
        HFDTEDATE:231126,02\r
        B1132054730000N00815000EA0040000410\r
        G0123456789\r
        """, as: .igc) == """
          2026-11-21T23:59:59.000Z 47.5,8.25
          2026-11-22T00:00:00.000Z -47.51,-8.25
          2026-11-23T11:32:05.000Z 47.5,8.25
          """)
  }

  @Test func `the I record says where accuracy, speed, course and more digits are`() {
    #expect(
      story(
        """
        HFDTE211126
        I063638FXA3941GSP4244TRT4545LAD4646LOD4749TDS
        B1132054730000N00815000EA004000041001203609053250
        B1132064730000N00815000EA004000041000003609000000
        B1132074730000N00815000EA0040000410
        """, as: .igc) == """
          2026-11-21T11:32:05.250Z \(47 + 30.0005 / 60),\(8 + 15.0003 / 60) ±12.0 10.0m/s 90.0°
          2026-11-21T11:32:06.000Z 47.5,8.25 10.0m/s 90.0°
          2026-11-21T11:32:07.000Z 47.5,8.25
          """)
  }

  @Test func `bad records are left out with their line`() {
    #expect(
      story(
        """
        HFDTE000000
        B1132054730000N00815000EA0040000410
        B113205
        B1132054760001N00815000EA0040000410
        B1132059130000N00815000EA0040000410
        B9932054730000N00815000EA0040000410
        B1132050000000N00000000EV0000000000
        B113205473O000N00815000EA0040000410
        B1132054730000X00815000EA0040000410
        I993638
        I02ABCDEF
        B11320ÄÖÜ
        """, as: .igc, assumedDate: "2026-11-21") == """
          2026-11-21T11:32:05.000Z 47.5,8.25
          warning 1: date "000000" found, ddmmyy expected; passed over
          error 3: a B record of 7 characters found, at least 35 expected; it is left out
          error 4: latitude "4760001N" found, a number of degrees expected; the point is left out
          error 5: latitude 91.5 found, -90 to 90 allowed; the point is left out
          error 6: time "993205" found, a time like 2026-11-21T11:32:05Z or in Unix seconds expected; \
          the point is left out
          error 7: a point without a position found, latitude and longitude expected; it is left out
          error 8: latitude "473O000N" found, a number of degrees expected; the point is left out
          error 9: latitude "4730000X" found, a number of degrees expected; the point is left out
          error 12: a B record of 12 characters found, at least 35 expected; it is left out
          """)
  }

  @Test func `without a date the flight begins in 1970, with a warning`() {
    #expect(
      story("B1132054730000N00815000EA0040000410", as: .igc) == """
        1970-01-01T11:32:05.000Z 47.5,8.25
        warning 1: no HFDTE record found; the log is taken to begin on 1970-01-01 (another date can be given)
        """)
  }
}
