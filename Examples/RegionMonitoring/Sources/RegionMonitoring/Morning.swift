#if !canImport(CoreLocation)
  import AlarmEngine
  import Geometry
  import PhoneSimulator

  /// The example journey and its fences: from home past a bakery to a tram, to the office, out for lunch, and
  /// back.
  enum Morning {
    static let start = Instant(millisecondsSince1970: 1_762_149_600_000)  // 2025-11-03 06:00 UTC
    private static let home = Coordinate(latitude: .degrees(48.2), longitude: .degrees(16.37))
    private static let bakery = place(850, 40, from: home)
    private static let station = place(900, 75, from: bakery)
    private static let office = place(2600, 62, from: station)
    private static let park = place(1250, 170, from: office)

    private static func place(_ metres: Double, _ bearing: Double, from origin: Coordinate) -> Coordinate {
      Geodesic.destination(from: origin, azimuth: .degrees(bearing), distance: .metres(metres))
    }

    static let fences = [
      fence("home", "Home", home, 150), fence("bakery", "Bakery", bakery, 120),
      fence("stop", "Tram stop", station, 200), fence("office", "Office", office, 150),
      // The same centre as the office, with another radius.
      fence("district", "Office district", office, 600), fence("park", "Park", park, 130),
    ]

    private static func fence(_ id: String, _ title: String, _ centre: Coordinate, _ radius: Double) -> Fence
    {
      Fence(
        id: id, title: title, latitude: centre.latitude.degrees, longitude: centre.longitude.degrees,
        radius: radius)
    }

    static let journey = Journey(
      from: home, at: start,
      legs: [
        .stand(.minutes(25), .indoors), .go(to: bakery, .metresPerSecond(1.4), .walking),
        .stand(.minutes(8), .indoors), .go(to: station, .metresPerSecond(1.4), .walking),
        .stand(.minutes(9)), .go(to: office, .metresPerSecond(9), .vehicle),
        .stand(.minutes(150), .indoors), .go(to: park, .metresPerSecond(1.3), .walking),
        .stand(.minutes(25)), .go(to: office, .metresPerSecond(1.3), .walking),
        .stand(.minutes(120), .indoors), .go(to: station, .metresPerSecond(9), .vehicle),
        .go(to: home, .metresPerSecond(1.5), .walking), .stand(.minutes(40), .indoors),
      ])
  }
#endif
