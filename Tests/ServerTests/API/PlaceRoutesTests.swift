import AlarmEngine
import Formats
import Foundation
import Geometry
import Hummingbird
import NIOConcurrencyHelpers
import Places
import Store
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

@Suite("Places of the API")
struct PlaceRoutesTests {
  private static func place(_ id: String, _ name: String, _ latitude: Double, brand: String = "") -> Place {
    Place(
      id: id, name: name, brand: brand, categories: [.init(key: "shop", value: "bakery")],
      coordinate: Coordinate(latitude: .degrees(latitude), longitude: .degrees(14)),
      address: .init(street: "Cesta", houseNumber: "1a", postcode: "1000", city: "Ljubljana"))
  }

  /// A server whose folder holds the given places.
  private func server(
    _ places: [Place]?, upstream: PlaceUpstream? = nil
  ) async throws -> (server: TestServer, folder: URL) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("places-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    if let places {
      _ = try PlaceBuilder.build(
        at: folder.appendingPathComponent(PlaceLibrary.fileName).path, attribution: "© us",
        now: TestServer.start
      ) { add in for place in places { try add(place) } }
    }
    let finder = PlaceFinder(library: PlaceLibrary(folder: folder.path), upstream: upstream)
    return (try await TestServer(places: finder), folder)
  }

  @Test func `places are found by words and nearness, in pages and in groups (S203, S204)`() async throws {
    let places = (0..<5).map {
      Self.place("node/\($0)", "Pekarna \($0)", 46 + Double($0) / 100, brand: $0 % 2 == 0 ? "Zora" : "Klas")
    }
    let (server, folder) = try await server(places)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let first = try await anna.get("/api/v1/places?q=peka&near=46,14&limit=2").json
      #expect(first["items"]?.list?.compactMap { $0["id"]?.string } == ["node/0", "node/1"])
      let second = first["items"]?.list?[1]
      let exact = Coordinate(latitude: .degrees(46), longitude: .degrees(14)).distance(
        to: places[1].coordinate)
      #expect(second?["distance_m"]?.double == exact.metres)
      #expect(second?["brand"]?.string == "Klas" && second?["category"]?.string == "shop=bakery")
      #expect(second?["address"]?["house_number"]?.string == "1a")
      #expect(first["attribution"]?.string == "© us")
      #expect(first["next_offset"]?.whole == 2)
      let last = try await anna.get("/api/v1/places?q=peka&near=46,14&limit=2&offset=4").json
      #expect(last["items"]?.list?.compactMap { $0["id"]?.string } == ["node/4"])
      #expect(last["next_offset"]?.isNull == true && last["hint"]?.isNull == true)
      let grouped = try await anna.get("/api/v1/places?near=46,14&grouped=true").json
      #expect(grouped["groups"]?.list?.compactMap { $0["title"]?.string } == ["Zora", "Klas"])
      #expect(grouped["groups"]?.list?.compactMap { $0["count"]?.whole } == [3, 2])
      #expect(
        grouped["items"]?.list?.compactMap { $0["id"]?.string }
          == ["node/0", "node/2", "node/4", "node/1", "node/3"])
      let close = try await anna.get("/api/v1/places?near=46,14&radius_m=1500").json
      #expect(close["items"]?.list?.count == 2)
      let words = try await anna.get("/api/v1/places?q=zora").json
      #expect(words["items"]?.list?.count == 3)
      #expect(words["items"]?.list?[0]["distance_m"]?.isNull == true)
      let none = try await anna.get("/api/v1/places?q=qwertz").json
      #expect(none["items"]?.list?.count == 0 && none["hint"]?.isNull == true)
    }
  }

  @Test func `what cannot be looked for is refused with what is allowed`() async throws {
    let (server, folder) = try await server([Self.place("1", "A", 1)])
    defer { try? FileManager.default.removeItem(at: folder) }
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      for query in [
        "", "?q=", "?q=a", "?q=%20%20", "?near=46", "?near=91,0", "?near=nan,0", "?near=a,b", "?near=1,2,3",
        "?radius_m=5", "?q=ab&radius_m=5", "?near=1,1&radius_m=0", "?near=1,1&limit=0", "?near=1,1&limit=101",
        "?near=1,1&offset=1001", "?q=a%20b%20c%20d%20e%20f%20g%20h%20ii", "?near=1,1&grouped=maybe",
      ] {
        #expect(try await anna.get("/api/v1/places\(query)").problem == "invalid-parameter", "\(query)")
      }
    }
  }

  @Test
  func `without a file the answer is empty and says what would help; with a new one it is full at once`()
    async throws
  {
    let (server, folder) = try await server(nil)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let empty = try await anna.get("/api/v1/places?q=peka").json
      #expect(empty["items"]?.list?.isEmpty == true)
      #expect(empty["hint"]?.string == PlaceFinder.nothingImported)
      let path = folder.appendingPathComponent(PlaceLibrary.fileName).path
      _ = try PlaceBuilder.build(at: path, attribution: "", now: TestServer.start) {
        try $0(Self.place("1", "Peka", 1))
      }
      #expect(try await anna.get("/api/v1/places?q=peka").json["items"]?.list?.count == 1)
      try Data("damaged, and longer than nothing".utf8).write(to: URL(fileURLWithPath: path))
      #expect(try await anna.get("/api/v1/places?q=peka").problem == "unavailable")
    }
  }

  // MARK: The service upstream

  /// The requests to a fake of Nominatim.
  private final class Asked: Sendable {
    private let list = NIOLockedValueBox<[String]>([])
    func add(_ uri: String) { list.withLockedValue { $0.append(uri) } }
    var all: [String] { list.withLockedValue { $0 } }
  }

  /// Answers as Nominatim does; the query "broken" gets an invalid answer.
  private static func fake(_ asked: Asked) -> Application<RouterResponder<BasicRequestContext>> {
    let router = Router()
    router.get("/nominatim/search") { request, _ -> String in
      asked.add("\(request.uri)")
      if request.uri.queryParameters["q"] == "broken" { return "<html>" }
      return """
        [{"osm_type":"node","osm_id":5,"lat":"46.02","lon":"14","category":"shop","type":"bakery","name":"Pekarna 5",
          "address":{"road":"Cesta","house_number":"3","postcode":"1000","town":"Vrhnika"},"extratags":{"brand":"Zora"}},
         {"osm_type":"way","osm_id":6,"lat":"46.01","lon":"14","category":"shop","type":"bakery","display_name":"Pekarna 6, Kranj"},
         {"osm_type":"node","osm_id":7,"lat":"97","lon":"14","name":"Nowhere"}, 5, {"name":"No id","lat":"1","lon":"1"}]
        """
    }
    return Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      logger: TestServer.silent)
  }

  /// Never shut down, like the tests' other HTTP client.
  private static let http = PlaceUpstream.client()

  @Test func `a service is asked once a second at most, kept for a day, and only where nothing was imported`()
    async throws
  {
    let asked = Asked()
    try await Self.fake(asked).test(.live) { fake in
      let port = try #require(fake.port)
      let url = try #require(URL(string: "http://127.0.0.1:\(port)/nominatim/"))
      let upstream = PlaceUpstream(url: url, contact: "mailto:me@example.org", http: Self.http)
      let (server, folder) = try await self.server([Self.place("node/1", "Imported", 46)], upstream: upstream)
      defer { try? FileManager.default.removeItem(at: folder) }
      try await server.run { stranger in
        let anna = try await server.visitor(stranger)
        for visitor in [anna, stranger] {
          let local = try await visitor.get("/api/v1/places?q=imported").json
          #expect(local["items"]?.list?.count == 1 && local["attribution"]?.string == "© us")
        }
        let nothing = try await stranger.get("/api/v1/places?q=pekarna").json
        #expect(nothing["items"]?.list?.isEmpty == true)
        #expect(nothing["hint"]?.string == PlaceFinder.moreWithAccount)
        #expect(asked.all.isEmpty)
        let far = try await anna.get("/api/v1/places?q=pekarna%20%C5%A1&near=46,14").json
        #expect(far["items"]?.list?.compactMap { $0["id"]?.string } == ["way/6", "node/5"])
        #expect(far["items"]?.list?[0]["name"]?.string == "Pekarna 6")
        #expect(far["items"]?.list?[1]["address"]?["city"]?.string == "Vrhnika")
        #expect(far["items"]?.list?[1]["brand"]?.string == "Zora")
        #expect(far["attribution"]?.string == "© OpenStreetMap contributors, by 127.0.0.1")
        #expect(asked.all.count == 1)
        #expect(asked.all[0].contains("q=pekarna%20%C5%A1&format=jsonv2"))
        #expect(asked.all[0].hasSuffix("email=me%40example.org"))
        // Within the second: known places are answered, other queries have to wait.
        #expect(
          try await anna.get("/api/v1/places?q=pekarna%20%C5%A1&near=46,14").json["items"]?.list?.count == 2)
        let busy = try await anna.get("/api/v1/places?q=other").json
        #expect(
          busy["items"]?.list?.isEmpty == true
            && busy["hint"]?.string?.contains("one search a second") == true)
        #expect(asked.all.count == 1)
        server.clock.pass(.seconds(1))
        let near = try await anna.get("/api/v1/places?q=other&near=46,14&radius_m=1200").json
        #expect(near["items"]?.list?.compactMap { $0["id"]?.string } == ["way/6"])
        #expect(
          asked.all.count == 2 && asked.all[1].contains("viewbox=13.984,46.011,14.016,45.989&bounded=1"),
          "\(asked.all)")
        server.clock.pass(.seconds(1))
        let broken = try await anna.get("/api/v1/places?q=broken").json
        #expect(
          broken["items"]?.list?.isEmpty == true
            && broken["hint"]?.string?.contains("does not answer") == true)
        server.clock.pass(.hours(25))
        _ = try await anna.get("/api/v1/places?q=pekarna%20%C5%A1&near=46,14")
        #expect(asked.all.count == 4)
        // A query by position alone is never sent to the service.
        server.clock.pass(.seconds(1))
        _ = try await anna.get("/api/v1/places?near=0,0&radius_m=5")
        #expect(asked.all.count == 4)
      }
    }
  }
}
