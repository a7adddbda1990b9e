/// The literal bodies in the protocols' descriptions, for each endpoint.
enum PhoneSamples {
  static let ownTracks =
    #"{"_type":"location","lat":46.051,"lon":14.505,"tst":1790000000,"acc":12,"alt":298,"vac":4,"#
    + #""vel":47,"cog":181,"batt":63,"bs":1,"conn":"m","m":1,"t":"u","tid":"AN","#
    + #""created_at":1790000003,"inregions":["Home"],"inrids":["6da9cf"],"topic":"owntracks/anna/phone","_id":"a1b2c3d4"}"#

  static let ownTracksTransition =
    #"{"_type":"transition","event":"enter","desc":"Cliff edge","tid":"AN","tst":1790000000,"#
    + #""wtst":1780000000,"acc":12,"lat":46.051,"lon":14.505,"t":"c","rid":"z-17"}"#

  static let ownTracksWaypoints =
    #"{"_type":"waypoints","_creator":"x","waypoints":["#
    + #"{"_type":"waypoint","desc":"Cliff edge","lat":46.0512,"lon":14.5049,"rad":150,"tst":1780000001,"rid":"z-17"},"#
    + #"{"_type":"waypoint","desc":"Desk","tst":1780000002,"uuid":"CA27","major":1,"minor":2}]}"#

  static func overlandFeature(
    time: String = "2026-09-21T14:13:20Z", longitude: String = "14.505", latitude: String = "46.051"
  ) -> String {
    #"{"type":"Feature","geometry":{"type":"Point","coordinates":["# + longitude + "," + latitude + "]},"
      + #""properties":{"timestamp":""# + time + #"","altitude":298,"speed":13,"course":181,"#
      + #""horizontal_accuracy":12,"vertical_accuracy":4,"speed_accuracy":0.5,"course_accuracy":3.1,"#
      + #""motion":["driving"],"battery_state":"unplugged","battery_level":0.63,"wifi":"","device_id":"anna","unique_id":"u1"}}"#
  }
  static let overland = #"{"locations":["# + overlandFeature() + "]}"

  static let traccarQuery =
    "id=12345678&timestamp=1790000000&lat=46.051&lon=14.505&speed=25.27&bearing=181.0&altitude=298.0&accuracy=12.0&batt=63.0"

  static let traccarJSON =
    #"{"location":{"timestamp":"2026-09-21T14:13:20.000Z","#
    + #""coords":{"latitude":46.051,"longitude":14.505,"accuracy":12,"speed":13.0,"heading":181,"altitude":298},"#
    + #""is_moving":true,"odometer":1200,"event":"motionchange","battery":{"level":0.63,"is_charging":false},"#
    + #""activity":{"type":"in_vehicle"},"mock":false,"alarm":"sos","extras":{}},"device_id":"12345678"}"#

  static let osmand =
    "lat=46.051&lon=14.505&timestamp=1790000000000&hdop=2.5&altitude=298&speed_ms=13&bearing=181"

  static let gpslogger =
    #"{"lat":46.051,"lon":14.505,"t":1790000000,"acc":12.0,"alt":298.0,"spd":13.0,"dir":181.0,"batt":63.0,"chg":false,"sat":9,"prov":"gps","dev":"a1d"}"#

  static let gpsloggerAll =
    "lat=46.051&lon=14.505&sat=9&desc=&alt=298.0&acc=12.0&dir=181.0&prov=gps&spd_kph=46.8&spd=13.0&timestamp=1790000000"
    + "&timeoffset=2026-09-21T16%3A13%3A20.000%2B02%3A00&time=2026-09-21T14%3A13%3A20.000Z&starttimestamp=1789990000"
    + "&date=2026-09-21&batt=63.0&ischarging=false&aid=a1d&ser=x&act=&filename=20260921&profile=Default&hdop=1.1&vdop=&pdop=&dist=12&"

  static let phoneTrack =
    "lat=46.051&lon=14.505&timestamp=1790000000&alt=298&acc=12&bat=63&sat=9&speed=13&bearing=181&useragent=PhoneTrack"

  static let phoneTrackPoints =
    #"{"points":[[46.051,14.505,1790000000,298,12,63,9,"PhoneTrack",13,181],[46.052,14.505,1790000010,298,12,63,9,"PhoneTrack",13,181]]}"#

  static let uLogger =
    "action=addpos&lat=46.051&lon=14.505&time=1790000000&accuracy=12&altitude=298&speed=13&bearing=181"

  static let openGTS =
    "id=anna&gprmc=$GPRMC,141320,A,4603.0600,N,01430.3000,E,25.27,181.0,210926,,*1E&alt=298&batt=63"

  /// Path, query, body.
  static let all: [(path: String, query: String, body: String)] = [
    ("/pub", "u=anna&d=phone", ownTracks), ("/pub", "", ownTracksTransition),
    ("/pub", "", ownTracksWaypoints),
    ("/overland", "", overland), ("/traccar", traccarQuery, ""), ("/", "", traccarQuery),
    ("/traccar", "", traccarJSON),
    ("/osmand/tok/anna", osmand, ""), ("/gpslogger/tok", "", gpslogger), ("/gpslogger/tok", gpsloggerAll, ""),
    ("/logGet/tok/anna", phoneTrack, ""), ("/logPost/tok/anna", "", phoneTrack),
    ("/logPostMultiple/tok/anna", "", phoneTrackPoints), ("/log/osmand/tok/anna", phoneTrack, ""),
    ("/log/gpslogger/tok/anna", phoneTrack, ""), ("/log/locusmap/tok/anna", "", phoneTrack),
    ("/log/owntracks/tok/anna", "", ownTracks), ("/log/overland/tok/anna", "", overland),
    ("/log/traccar/tok/anna", "", traccarJSON), ("/log/ulogger/tok/anna/client/index.php", "", uLogger),
    ("/log/opengts/tok/anna", openGTS, ""),
  ]
}
