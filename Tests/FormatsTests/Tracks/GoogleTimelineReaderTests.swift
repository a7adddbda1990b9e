import Foundation
import Testing

@testable import Formats

@Suite("Google's timeline")
struct GoogleTimelineReaderTests {
  @Test func `an Android export gives paths, visits, activities and single positions`() {
    #expect(
      story(
        """
        {
          "semanticSegments": [
            {"startTime": "2026-11-21T10:00:00.000+01:00", "endTime": "2026-11-21T12:00:00.000+01:00",
             "timelinePath": [
              {"point": "47.5000000°, 8.2500000°", "time": "2026-11-21T10:04:00.000+01:00"},
              {"point": "geo:-47.6,-8.2500000", "time": "2026-11-21T10:06:00.000+01:00"}]},
            {"startTime": "2026-11-21T12:00:00.000+01:00", "endTime": "2026-11-21T13:00:00.000+01:00",
             "startTimeTimezoneUtcOffsetMinutes": 60, "endTimeTimezoneUtcOffsetMinutes": 60,
             "visit": {"hierarchyLevel": 0, "probability": 0.9, "topCandidate": {"placeId": "x", "semanticType": "HOME",
              "probability": 0.8, "placeLocation": {"latLng": "47.7°, 8.25°"}}}},
            {"startTime": "2026-11-21T12:10:00.000+01:00", "endTime": "2026-11-21T12:20:00.000+01:00",
             "visit": {"hierarchyLevel": 1, "topCandidate": {"placeLocation": {"latLng": "47.9°, 8.25°"}}}},
            {"startTime": "2026-11-21T13:00:00.000+01:00", "endTime": "2026-11-21T13:30:00.000+01:00",
             "activity": {"start": {"latLng": "47.7°, 8.25°"}, "end": {"latLng": "47.8°, 8.25°"}, "distanceMeters": 11131.5,
              "topCandidate": {"type": "CYCLING", "probability": 0.0}}},
            {"startTime": "2026-11-21T13:30:00.000+01:00", "endTime": "2026-11-21T14:00:00.000+01:00",
             "timelineMemory": {"trip": {"distanceFromOriginKms": 12}}}
          ],
          "rawSignals": [
            {"wifiScan": {"deliveryTime": "2026-11-21T14:00:00.000+01:00", "devicesRecords": []}},
            {"activityRecord": {"timestamp": "2026-11-21T14:00:00.000+01:00"}},
            {"position": {"LatLng": "47.8°, 8.25°", "accuracyMeters": 13, "altitudeMeters": 400.1, "source": "WIFI",
             "timestamp": "2026-11-21T14:00:01.000+01:00", "speedMetersPerSecond": 1.5}}
          ],
          "userLocationProfile": {"frequentPlaces": [{"placeId": "x", "placeLocation": "47.7°, 8.25°", "label": "HOME"}]}
        }
        """, as: .google) == """
          2026-11-21T09:04:00.000Z 47.5,8.25
          2026-11-21T09:06:00.000Z -47.6,-8.25
          2026-11-21T11:00:00.000Z 47.7,8.25
          2026-11-21T12:00:00.000Z 47.7,8.25
          2026-11-21T12:00:00.000Z 47.7,8.25
          2026-11-21T12:30:00.000Z 47.8,8.25
          2026-11-21T13:00:01.000Z 47.8,8.25 ±13.0 1.5m/s
          """)
  }

  @Test func `an iOS export is a list, and the times of a path are minutes after its start`() throws {
    let text = """
      [
        {"endTime": "2026-11-21T11:00:00.500Z", "startTime": "2026-11-21T10:00:00.500+01:00",
         "timelinePath": [{"durationMinutesOffsetFromStartTime": "3", "point": "geo:47.5,8.25"},
                          {"durationMinutesOffsetFromStartTime": "61", "point": "geo:47.6,8.25;u=35"}]},
        {"endTime": "2026-11-21T12:00:00Z", "startTime": "2026-11-21T11:00:00Z", "visit": {"hierarchyLevel": "0",
         "topCandidate": {"probability": "0.9", "semanticType": "Home", "placeID": "x", "placeLocation": "geo:47.7,8.25"},
         "probability": "0.99"}},
        {"endTime": "2026-11-21T12:20:00Z", "startTime": "2026-11-21T12:00:00Z", "activity": {"start": "geo:47.7,8.25",
         "end": "geo:47.8,8.25", "distanceMeters": "11131.5", "topCandidate": {"type": "walking", "probability": "0.5"}}}
      ]
      """
    #expect(
      story(text, as: .google) == """
        2026-11-21T09:03:00.500Z 47.5,8.25
        2026-11-21T10:01:00.500Z 47.6,8.25
        2026-11-21T11:00:00.000Z 47.7,8.25
        2026-11-21T12:00:00.000Z 47.7,8.25
        2026-11-21T12:00:00.000Z 47.7,8.25
        2026-11-21T12:20:00.000Z 47.8,8.25
        """)
    #expect(try TrackFormat(head: Array(text.utf8.prefix(4096)), name: "location-history.json") == .google)
  }

  @Test func `Records.json of any year is read, with numbers that lost their sign`() throws {
    let text = """
      {
        "locations": [{
          "latitudeE7": 475000000, "longitudeE7": 82500000, "accuracy": 24, "activity": [{"activity": [{"type": "STILL",
          "confidence": 100}], "timestamp": "2026-11-21T11:32:00.123Z"}], "source": "WIFI", "deviceTag": 123,
          "timestamp": "2026-11-21T11:32:05.250Z"
        }, {
          "timestampMs": "1795260726500", "latitudeE7": -475000000, "longitudeE7": 4212467296, "accuracy": 1500,
          "velocity": 12, "heading": 90, "altitude": 33
        }]
      }
      """
    #expect(
      story(text, as: .google) == """
        2026-11-21T11:32:05.250Z 47.5,8.25 ±24.0
        2026-11-21T11:32:06.500Z -47.5,-8.25 ±1500.0 12.0m/s 90.0°
        """)
    #expect(try TrackFormat(head: Array(text.utf8.prefix(200)), name: "Records.json") == .google)
  }

  @Test func `what cannot be read is left out with what was found and what is allowed`() {
    #expect(
      story(
        """
        {"semanticSegments": [
          {"startTime": "yesterday", "endTime": "2026-11-21T12:00:00Z",
           "timelinePath": [{"point": "geo:1,2", "durationMinutesOffsetFromStartTime": "1"}]},
          {"startTime": "2026-11-21T12:00:00Z", "timelinePath": [
            {"point": "geo:1,2", "durationMinutesOffsetFromStartTime": "soon"},
            {"point": "geo:1", "time": "2026-11-21T12:00:00Z"},
            {"point": "95°, 2°", "time": "2026-11-21T12:00:00Z"},
            {"point": 5, "time": "2026-11-21T12:00:00Z"},
            {"time": "2026-11-21T12:00:00Z"},
            {"point": "geo:1,2"}]},
          {"startTime": "2026-11-21T12:00:00Z", "endTime": 7, "visit": {"topCandidate": {"placeLocation": {}}}},
          {"startTime": "2026-11-21T12:00:00Z", "visit": "home", "activity": []},
          "nothing", 5, null
        ], "rawSignals": [{"position": {"LatLng": "1°, 2°", "accuracyMeters": "good", "timestamp": "2026-11-21T12:00:00Z"}}],
          "locations": [{"latitudeE7": 9900000000, "longitudeE7": 0, "timestampMs": "1795260726500"},
            {"latitudeE7": 1, "timestampMs": "1795260726500"}]}
        """, as: .google) == """
          2026-11-21T12:00:00.000Z 1.0,2.0
          error 2: time "yesterday" found, a time like 2026-11-21T11:32:05Z or in Unix seconds expected; the point is left out
          error 4: time "soon" found, a time like 2026-11-21T11:32:05Z or in Unix seconds expected; the point is left out
          error 4: latitude "geo:1" found, a number of degrees expected; the point is left out
          error 4: latitude 95.0 found, -90 to 90 allowed; the point is left out
          error 4: a point without a position found, latitude and longitude expected; it is left out
          error 4: a point without a position found, latitude and longitude expected; it is left out
          error 4: a point without a time found; it is left out
          error 11: a point without a position found, latitude and longitude expected; it is left out
          error 11: a point without a position found, latitude and longitude expected; it is left out
          warning 14: accuracy "good" found, a number of metres expected; taken as unstated
          error 15: latitude 990.0 found, -90 to 90 allowed; the point is left out
          error 16: a point without a position found, latitude and longitude expected; it is left out
          """)
  }

  @Test func `a file without any position says what was expected, one that breaks off what was read`() {
    #expect(
      story(#"{"semanticSegments": []}"#, as: .google)
        == "the file holds no fix: visits, activities, paths or positions of Google's timeline expected")
    #expect(
      story(
        #"{"locations": [{"latitudeE7": 10000000, "longitudeE7": 0, "timestampMs": "0"}, {"latit"#,
        as: .google)
        == "1970-01-01T00:00:00.000Z 1.0,0.0\nerror 1: not JSON: the text ends early")
    #expect(story("[", as: .google) == "the file is not JSON (line 1): the text ends early")
  }

  @Test(arguments: [
    #"{"type": "FeatureCollection", "features": []}"#, #"{"locations": [{"type": "Feature"}]}"#,
    #"[{"_type": "location", "lat": 1}]"#, #"[{"startTime": 1, "endTime": 2}]"#,
  ])
  func `other JSON stays GeoJSON or its relatives`(text: String) throws {
    #expect(try TrackFormat(head: Array(text.utf8), name: "x.json") == .geojson)
  }

  @Test func `a month of the Semantic Location History is read`() throws {
    let text = """
      {"timelineObjects": [
        {"activitySegment": {
          "startLocation": {"latitudeE7": 460500000, "longitudeE7": 145000000},
          "endLocation": {"latitudeE7": 461000000, "longitudeE7": 145000000},
          "duration": {"startTimestamp": "2026-09-21T08:00:00Z", "endTimestamp": "2026-09-21T08:30:00.500Z"},
          "waypointPath": {"waypoints": [{"latE7": 460700000, "lngE7": 145000000}]},
          "simplifiedRawPath": {"points": [{"latE7": 460600000, "lngE7": 145000000, "accuracyMeters": 7,
            "timestamp": "2026-09-21T08:10:00Z"}]}}},
        {"placeVisit": {
          "location": {"latitudeE7": 461000000, "longitudeE7": 145000000, "placeId": "x", "name": "Mill"},
          "duration": {"startTimestampMs": "1789979400500", "endTimestampMs": "1789983000000"}}},
        {"placeVisit": {"location": {"placeId": "y"}, "centerLatE7": -461000000, "centerLngE7": 145000000,
          "duration": {"startTimestamp": "2026-09-21T10:00:00Z", "endTimestamp": "never"}}},
        {"placeVisit": {"duration": {"startTimestamp": "2026-09-21T10:00:00Z"}}}
      ]}
      """
    #expect(
      story(text, as: .google) == """
        2026-09-21T08:00:00.000Z 46.05,14.5
        2026-09-21T08:10:00.000Z 46.06,14.5 ±7.0
        2026-09-21T08:30:00.500Z 46.1,14.5
        2026-09-21T08:30:00.500Z 46.1,14.5
        2026-09-21T09:30:00.000Z 46.1,14.5
        2026-09-21T10:00:00.000Z -46.1,14.5
        warning 2: waypoints without times found; they are passed over
        error 12: time "never" found, a time like 2026-11-21T11:32:05Z or in Unix seconds expected; the point is left out
        """)
    #expect(story(text, as: .geojson) == story(text, as: .google))
    #expect(try TrackFormat(head: Array(text.utf8), name: "2026_SEPTEMBER.json") == .google)
  }

  @Test func `Timeline Edits are read for their raw signals`() throws {
    let text = """
      {"timelineEdits": [
        {"deviceId": "1", "rawSignal": {"signal": {"position": {"point": {"latE7": 460500000, "lngE7": -145000000},
          "accuracyMm": 14063, "altitudeMeters": -23.0, "source": "WIFI", "timestamp": "2026-09-21T08:00:01.340Z"}}}},
        {"deviceId": "1", "rawSignal": {"signal": {"wifiScan": {"deliveryTime": "2026-09-21T08:00:01.340Z"}}}},
        {"deviceId": "1", "placeAggregates": {"placeAggregateInfo": []}}
      ]}
      """
    #expect(story(text, as: .google) == "2026-09-21T08:00:01.340Z 46.05,-14.5 ±14.063")
    #expect(try TrackFormat(head: Array(text.utf8), name: "Timeline Edits.json") == .google)
    let empty = story(#"{"timelineEdits": [{"deviceId": "1", "placeAggregates": {}}]}"#, as: .geojson)
    #expect(empty.contains("Google's timeline expected"), "\(empty)")
  }

  @Test func `a Records.json is known by its elements, however late its first position comes`() throws {
    let scans = (0..<9000).map { #"{"mac": "\#($0)", "strength": -70}"# }.joined(separator: ",")
    let text = """
      {"locations": [
        {"activity": [{"activity": [{"type": "STILL", "confidence": 9}], "timestamp": "2026-09-21T08:00:00Z"}],
         "activeWifiScan": {"accessPoints": [\(scans)]}, "timestamp": "2026-09-21T08:00:00Z"},
        {"activeWifiScan": {"accessPoints": [\(scans)]}, "timestamp": "2026-09-21T08:00:00Z",
         "latitudeE7": 460500000, "longitudeE7": 145000000, "accuracy": 20}]}
      """
    let file = try TrackFile.read(data: Data(text.utf8), name: "Records.json")
    #expect(story(file) == "2026-09-21T08:00:00.000Z 46.05,14.5 ±20.0")
  }
}
