/// Setup of other apps to report to us: links to open or to show as a QR code, and addresses and bodies to
/// paste. Names and tokens are encoded for the address.
public enum PhoneSetup {
  /// Returns a link that opens Overland and configures it.
  /// - Parameter url: `https://host/overland`.
  public static func overland(url: String, token: String, device: String) -> String {
    "overland://setup?url=\(PercentCoding.encode(url))&token=\(PercentCoding.encode(token))"
      + "&device_id=\(PercentCoding.encode(device))&unique_id=yes"
  }

  /// Returns a link for Traccar Client: origin and path become its server, the rest its settings.
  /// - Parameters:
  ///   - url: `https://host/traccar`.
  ///   - interval: seconds between two positions.
  ///   - distance: metres between two positions.
  ///   - heartbeat: seconds between two signs of life while the phone lies still.
  public static func traccar(
    url: String, device: String, interval: Int = 30, distance: Int = 25, heartbeat: Int = 300
  ) -> String {
    "\(url)?id=\(PercentCoding.encode(device))&accuracy=high&interval=\(interval)&distance=\(distance)&angle=0"
      + "&heartbeat=\(heartbeat)&buffer=true&stop_detection=true"
  }

  /// Returns the address for OsmAnd's online tracking, which fills in the numbers.
  /// - Parameter url: `https://host/osmand`.
  public static func osmand(url: String, token: String, device: String) -> String {
    "\(url)/\(PercentCoding.encode(token))/\(PercentCoding.encode(device))"
      + "?lat={0}&lon={1}&timestamp={2}&hdop={3}&altitude={4}&speed_ms={5}&bearing={6}"
  }

  /// Returns the address and body for GPSLogger's custom URL: POST, with the header `Content-Type:
  /// application/json`.
  /// - Parameter url: `https://host/gpslogger`.
  public static func gpslogger(url: String, token: String) -> (url: String, body: String) {
    (
      "\(url)/\(PercentCoding.encode(token))",
      #"{"lat":%LAT,"lon":%LON,"t":%TIMESTAMP,"acc":%ACC,"alt":%ALT,"spd":%SPD,"dir":%DIR,"batt":%BATT,"#
        + #""chg":%ISCHARGING,"sat":%SAT,"prov":"%PROV","dev":"%AID"}"#
    )
  }
}
