import Foundation
import PhoneSimulator
import Testing

@testable import RegionMonitoring

@Suite("The region monitoring example")
struct RegionMonitoringTests {
  private static let faultless = PhoneParameters.measured2019.with {
    $0.regionLossProbability = 0
    $0.spuriousEventsPerDay = 0
  }

  @Test func `every fence is watched, and told of on entry and on exit`() {
    let run = RegionRun(parameters: Self.faultless, seed: 1)
    #expect(run.problem == nil)
    #expect(run.events.filter { $0.kind == .watched }.map(\.fence) == Morning.fences.map(\.id))
    for (fence, stays) in zip(run.fences, run.stays) where fence.id != "home" {
      let told = run.crossings.filter { $0.event.fence == fence.id }
      #expect(told.count { $0.event.kind == .entered } == stays.count, "\(fence.id)")
      #expect(told.count { $0.event.kind == .exited } == stays.count, "\(fence.id)")
    }
    // The journey begins at home: one exit, and one entry in the evening.
    #expect(run.crossings.filter { $0.event.fence == "home" }.map(\.event.kind) == [.exited, .entered])
    #expect(run.crossings.allSatisfy { ($0.delay ?? -1) >= 0 && ($0.delay ?? 0) < 900 })
    #expect(run.launches == 1)
  }

  @Test func `the old set is cleared before the current one is added`() {
    let phone = Phone(journey: Morning.journey, seed: 1)
    var watcher: RegionWatcher?
    final class Application: PhoneApplication {}
    phone.install { launch in
      watcher = RegionWatcher(now: { launch.environment.date })
      return Application()
    }
    phone.openApplication()
    phone.perform { _ in
      #expect(watcher?.watch(Morning.fences) == nil)
      #expect(watcher?.watch(Array(Morning.fences.prefix(2))) == nil)
      #expect(Set(CLLocationManager().monitoredRegions.map(\.identifier)) == ["home", "bakery"])
    }
  }

  @Test func `what cannot be watched is said`() {
    let parameters = PhoneParameters.measured2019.with { $0.maximumRegionRadiusMetres = -1 }
    let unavailable = RegionRun(parameters: parameters, seed: 1)
    #expect(unavailable.problem == .unavailable)
    #expect(RegionPage(unavailable).html.contains("This phone cannot monitor regions"))
    #expect(RegionRun(authorization: .authorizedWhenInUse, seed: 1).problem == .needsAlways)
    let reduced = RegionRun(isReduced: true, seed: 1)
    #expect(reduced.problem == .needsPrecise && reduced.crossings.isEmpty)
  }

  @Test func `the 21st fence is refused and the page says so`() {
    let many = (0..<21).map { number in
      Fence(
        id: "f\(number)", title: "Fence \(number)", latitude: 48.2, longitude: 16.3 + Double(number) * 0.01,
        radius: 100)
    }
    let run = RegionRun(many, seed: 1)
    #expect(run.events.filter { $0.kind == .refused }.map(\.fence) == ["f20"])
    #expect(RegionPage(run).html.contains("20 fences watched"))
  }

  @Test func `the page has one overlay a fence, blue and orange and one point wide, and loads nothing`() {
    var fences = Morning.fences
    fences[0] = Fence(
      id: "a\"<b", title: "<Home> & \"garden\"", latitude: fences[0].latitude, longitude: fences[0].longitude,
      radius: fences[0].radius)
    let run = RegionRun(fences, parameters: Self.faultless, seed: 1)
    let html = RegionPage(run).html
    let circles = html.split(separator: "\n").filter { $0.contains("<circle") }
    #expect(circles.count == fences.count)
    for circle in circles {
      #expect(circle.contains("stroke=\"blue\" fill=\"orange\" stroke-width=\"1.00\""))
    }
    for fence in fences.dropFirst() { #expect(html.contains("data-fence=\"\(fence.id)\"")) }
    #expect(html.contains("&lt;Home&gt; &amp; &quot;garden&quot;") && !html.contains("<Home>"))
    #expect(html.contains("default-src 'none'") && !html.contains("http:") && !html.contains("https:"))
    #expect(html.components(separatedBy: "<tr><td>").count - 1 == run.crossings.count)
  }

  @Test
  func `the program writes the page, the same for the same seed, and refuses what it does not understand`()
    throws
  {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func page(_ seed: String) throws -> String {
      let path = folder.appendingPathComponent("page.html").path
      #expect(RegionMonitoring.run([path, seed]) == 0)
      return try String(contentsOfFile: path, encoding: .utf8)
    }
    let first = try page("7")
    #expect(try page("7") == first)
    #expect(try page("8") != first)
    #expect(RegionMonitoring.run(["page.html", "seven"]) == 2)
    #expect(RegionMonitoring.run(["a", "1", "b"]) == 2)
    #expect(RegionMonitoring.run([folder.appendingPathComponent("none/page.html").path]) == 3)
  }
}
