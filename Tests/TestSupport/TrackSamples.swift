/// Small tracks in the formats that a page reads, with oddities: other digits, lost weeks, several devices.
public enum TrackSamples {
  /// Each with the word by which a page asks for its format.
  public static let all: [(format: String, text: String)] = [
    (
      "gpx",
      """
      <?xml version="1.0"?><gpx><metadata><name>File</name><time>2026-06-21T12:00:00Z</time></metadata>
      <wpt lat="9" lon="9"/><trk><name>Way &amp; back</name><trkseg>
      <trkpt lat="52" lon="13"><ele>440</ele><time>2026-06-21T10:00:00Z</time><extensions><hAcc>4</hAcc><vAcc>3</vAcc>
      <eleReference>sea_level</eleReference><speed>1.5</speed><course>90</course></extensions></trkpt>
      <trkpt lat="46,05" lon="-14,5"><time>2006-11-05T10:00:01Z</time></trkpt>
      <trkpt lat="53" lon="14"/><trkpt lat="91" lon="14"><time>2026-06-21T10:00:02Z</time></trkpt>
      <trkpt lat="53.5" lon="14"><time>۲۰۲۶-۰۶-۲۱T۱۴:۱۳:۲۰Z</time></trkpt>
      </trkseg></trk></gpx>
      """
    ),
    (
      "kml",
      """
      <kml><Document><name>No</name><Placemark><name>Way</name><gx:Track><altitudeMode>absolute</altitudeMode>
      <when>2026-01-01T00:00:00Z</when><when>2026-01-01T00:00:10Z</when><gx:coord>13 52 440</gx:coord>
      <gx:coord>13.1 52.1 441</gx:coord><gx:SimpleArrayData name="accuracy"><gx:value>5</gx:value><gx:value>6</gx:value>
      </gx:SimpleArrayData></gx:Track></Placemark></Document></kml>
      """
    ),
    (
      "tcx",
      """
      <TrainingCenterDatabase><Track><Trackpoint><Time>2026-01-01T00:00:00Z</Time><Position>
      <LatitudeDegrees>52</LatitudeDegrees><LongitudeDegrees>13</LongitudeDegrees></Position>
      <AltitudeMeters>440.5</AltitudeMeters></Trackpoint><Trackpoint><Time>2026-01-01T00:00:01Z</Time></Trackpoint>
      </Track></TrainingCenterDatabase>
      """
    ),
    (
      "json",
      """
      {"type":"FeatureCollection","name":"All","features":[
      {"type":"Feature","properties":{"name":"Way","coordTimes":["2026-05-16T09:00:00Z","2026-05-16T09:00:10Z"]},
      "geometry":{"type":"LineString","coordinates":[[13.39,52.52,34],[13.4,52.52]]}},
      {"type":"Feature","properties":{"timestamp":1790000000,"speed":-1,"horizontal_accuracy":"5,5","device_id":"b"},
      "geometry":{"type":"Point","coordinates":["13.41",52.52]}},
      {"_type":"location","lat":46.05,"lon":14.5,"tst":811692800,"acc":12,"vel":36}]}
      """
    ),
    (
      "json",
      """
      {"semanticSegments":[{"startTime":"2026-05-16T09:00:00Z","endTime":"2026-05-16T10:00:00Z","timelinePath":[
      {"point":"48.1°, 11.5°","time":"2026-05-16T09:10:00Z"}]}],"rawSignals":[{"position":{"LatLng":"48.2°, 11.6°",
      "accuracyMeters":9,"timestamp":"2026-05-16T09:30:00Z"}}]}
      """
    ),
    (
      "csv",
      """
      id;lat;N/S;lon;E/W;time;accuracy (ft)
      1;46,05;S;14,5;west;2026-09-21T14:13:20Z;"12,5"
      1;46.05;n;14.5;E;2026-09-21 14:13:21;3
      2;46.05;X;14.5;E;1790000000;3
      """
    ),
    (
      "owntracks",
      """
      2026-09-21T14:13:25Z\t*\t{ 0A "_type": "location", 0A 09"lat": 46.05, 0A "lon": 14.5, "addr": "a 0A b", 0D 0A "tst": 1790000000 0A} 00
      2026-09-21T14:13:26Z\tlwt\t{"_type":"lwt"}
      2026-09-21T14:13:27Z\t*\t{"_type":"location","lat":46.1,"lon":14.5,"tst":1790000005,"vel":36,"cog":-1,"topic":"a"}
      """
    ),
  ]
}
