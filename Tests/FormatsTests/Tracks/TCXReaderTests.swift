import Testing

@testable import Formats

@Suite("TCX activities")
struct TCXReaderTests {
  private func activity(_ points: String) -> String {
    """
    <?xml version="1.0"?>
    <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2">
    <Activities><Activity Sport="Running"><Id>2026-11-21T11:32:05Z</Id><Lap><Track>
    \(points)
    </Track></Lap></Activity></Activities></TrainingCenterDatabase>
    """
  }

  @Test func `track points are fixes`() {
    #expect(
      story(
        activity(
          """
          <Trackpoint><Time>2026-11-21T11:32:05.000Z</Time><Position><LatitudeDegrees>47.5</LatitudeDegrees>
          <LongitudeDegrees>8.25</LongitudeDegrees></Position><AltitudeMeters>400</AltitudeMeters>
          <Extensions><ns3:TPX><ns3:Speed>2.5</ns3:Speed></ns3:TPX></Extensions></Trackpoint>
          """), as: .tcx) == "2026-11-21T11:32:05.000Z 47.5,8.25 2.5m/s")
  }

  @Test func `points without place or time are left out`() {
    #expect(
      story(
        activity(
          """
          <Trackpoint><Time>2026-11-21T11:32:05.000Z</Time></Trackpoint>
          <Trackpoint><Position><LatitudeDegrees>47</LatitudeDegrees><LongitudeDegrees>8</LongitudeDegrees></Position>
          </Trackpoint>
          """), as: .tcx) == """
          the file holds no fix: <Trackpoint> with <Time> and <Position> expected; first issue of 2: line 4: \
          a point without a position found, latitude and longitude expected; it is left out
          """)
    #expect(
      story("<gpx/>", as: .tcx)
        == "the file: the root element is <gpx>, <TrainingCenterDatabase> expected")
  }
}
