import CommandLineSupport
import CommandLineTestSupport
import Foundation
import Testing

@testable import LabTool

@Suite("Streets of simulations")
struct SimulationStreetsTests {
  private let scene: StreetScene

  init() throws { scene = try StreetScene(ProximityLab.self) }

  @Test func `a simulation has streets below each of its scenes`() throws {
    func scenes(_ more: [String]) throws -> [[String: Any]] {
      let html = scene.page(["simulate", scene.track, "--policy", "every-300s"] + more).html
      let data = try #require(
        html.firstMatch(of: /<script type="application\/json" id="scenes">(.*)<\/script>/))
      return try #require(
        try JSONSerialization.jsonObject(with: Data(String(data.1).utf8)) as? [[String: Any]])
    }
    let plain = try scenes([])
    #expect(!plain.isEmpty && plain.allSatisfy { $0["streets"] is NSNull })
    let drawn = try scenes(["--streets", scene.streets])
    #expect(drawn.count == plain.count)
    for scene in drawn {
      let streets = try #require(scene["streets"] as? [String: [[Any]]])
      #expect(streets["paths"]?.compactMap { $0.first as? String } == ["sea", "avenue"])
      #expect(streets["names"]?.compactMap { $0.first as? String } == ["<i>Long Road"])
    }
  }

  @Test func `a folder without a map is said, a file without tiles is refused`() {
    let command = ["simulate", scene.track] + ["--policy", "every-300s"]
    let without = scene.page(command + ["--data", scene.folder.path("nothing")])
    #expect(without.status == 0 && without.said.contains("the report is drawn without"), "\(without.said)")
    #expect(!without.html.contains("id=\"streets\""))
    let refused = scene.page(command + ["--streets", scene.track])
    #expect(refused.status == 3 && refused.said.contains("no archive of map tiles"), "\(refused.said)")
    let plain = scene.plain(command + ["--streets", scene.streets])
    #expect(plain.status == 2 && plain.said.contains("found without --report"), "\(plain.said)")
  }
}
