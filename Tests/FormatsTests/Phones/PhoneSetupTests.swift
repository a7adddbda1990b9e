import Testing

@testable import Formats

@Suite("Setting phones up")
struct PhoneSetupTests {
  @Test func `links and templates, names encoded`() {
    #expect(
      PhoneSetup.overland(url: "https://host/overland", token: "t+k", device: "anna b")
        == "overland://setup?url=https%3A%2F%2Fhost%2Foverland&token=t%2Bk&device_id=anna%20b&unique_id=yes")
    #expect(
      PhoneSetup.traccar(url: "https://host:5055/", device: "12345678")
        == "https://host:5055/?id=12345678&accuracy=high&interval=30&distance=25&angle=0&heartbeat=300&buffer=true&stop_detection=true"
    )
    #expect(
      PhoneSetup.osmand(url: "https://host/osmand", token: "tok", device: "anna")
        == "https://host/osmand/tok/anna?lat={0}&lon={1}&timestamp={2}&hdop={3}&altitude={4}&speed_ms={5}&bearing={6}"
    )
  }

  @Test func `what the templates send is what we read`() {
    let address = PhoneSetup.osmand(url: "/osmand", token: "tok", device: "anna b")
    var filled = address
    for (place, value) in ["46.051", "14.505", "1790000000000", "2.5", "298", "13", "181"].enumerated() {
      filled = filled.replacing("{\(place)}", with: value)
    }
    let parts = filled.split(separator: "?")
    let report = phoneReport(String(parts[0]), query: String(parts[1]))
    #expect(report == phoneReport("/osmand/tok/anna%20b", query: PhoneSamples.osmand))

    let (url, template) = PhoneSetup.gpslogger(url: "/gpslogger", token: "tok")
    var body = template
    for (name, value) in [
      ("%LAT", "46.051"), ("%LON", "14.505"), ("%TIMESTAMP", "1790000000"), ("%ACC", "12.0"),
      ("%ALT", "298.0"),
      ("%SPD", "13.0"), ("%DIR", "181.0"), ("%BATT", "63.0"), ("%ISCHARGING", "false"), ("%SAT", "9"),
      ("%PROV", "gps"), ("%AID", "a1d"),
    ] { body = body.replacing(name, with: value) }
    #expect(body == PhoneSamples.gpslogger)
    #expect(phoneReport(url, body).fixes.count == 1)
  }
}
