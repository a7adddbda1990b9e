import Testing

@testable import Formats

@Suite("OziExplorer tracks")
struct PLTReaderTests {
  private let header = """
    OziExplorer Track Point File Version 2.1
    WGS 84
    Altitude is in Feet
    Reserved 3
    0,2,255,A walk,0,0,2,8421376
    0

    """

  @Test func `rows are fixes; dates in words count where they are exact, else the days`() {
    #expect(
      story(
        header + """
          47.5,8.25,0,1312,46347.4806134259,2026-11-21,11:32:05
           47.5, 8.25,1, -777,46347.4806134259, 21-Nov-26, 11:32:05
          47.5,8.25,0,1312,46347.4806134259

          """, as: .plt) == """
          2026-11-21T11:32:05.000Z 47.5,8.25
          2026-11-21T11:32:05.000Z 47.5,8.25
          2026-11-21T11:32:05.000Z 47.5,8.25
          """)
  }

  @Test func `bad rows are left out with their line, another datum is warned of`() {
    #expect(
      story(
        header.replacing("WGS 84", with: "Potsdam") + """
          95,8.25,0,0,46347.5
          47.5
          47.5,8.25,0,0,0
          47.5,8.25,0,0,x
          47.5,8.25,0,0,1e300
          47.5,8.25,0,0,25569
          """, as: .plt) == """
          1970-01-01T00:00:00.000Z 47.5,8.25
          warning 2: datum "Potsdam" found, WGS 84 expected; read as WGS 84
          error 7: latitude 95.0 found, -90 to 90 allowed; the point is left out
          error 8: a point without a position found, latitude and longitude expected; it is left out
          error 9: a point without a time found; it is left out
          error 10: time "x" found, a time like 2026-11-21T11:32:05Z or in Unix seconds expected; the point is left out
          error 11: time "1e300" found, the years 0001 to 9999 are allowed; the point is left out
          """)
    #expect(story("", as: .plt).hasPrefix("the file holds no fix: six header lines and rows like"))
  }
}
