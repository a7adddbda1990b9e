import AlarmEngine
import CommandLineTestSupport
import Foundation
import Geometry
import PhoneHost
import PhoneSimulator
import TestSupport
import Testing

@testable import LabTool

@Suite("fit")
struct FitTests {
  private struct Row: Decodable {
    let factor: String
    let part: String?
    let assumed: Double?
    let fitted: Double?
    let low: Double?
    let high: Double?
    let n: Int
    let needed: Int?
  }

  /// Runs `fit --json` on a journal.
  private func rows(
    _ journal: [UInt8], track: String? = nil, _ options: String...
  ) throws -> (rows: [String: Row], console: CapturedConsole) {
    let folder = try TestFolder()
    let path = folder.path("phone.journal")
    try Data(journal).write(to: URL(fileURLWithPath: path))
    var arguments = ["fit", path, "--json"] + options
    if let track { arguments += ["--truth", try folder.file("way.csv", track)] }
    let console = CapturedConsole()
    #expect(console.run(ProximityLab.self, arguments) == 0, "\(console.messages)")
    var rows: [String: Row] = [:]
    for line in console.lines {
      let row = try JSONDecoder().decode(Row.self, from: Data(line.utf8))
      rows[row.part.map { "\(row.factor), \($0)" } ?? row.factor] = row
    }
    return (rows, console)
  }

  /// Expects the fitted value within a share of the true one.
  private func expect(
    _ rows: [String: Row], _ name: String, _ value: Double, within share: Double,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard let row = rows[name], let fitted = row.fitted else {
      Issue.record("\(name): \(String(describing: rows[name]))", sourceLocation: sourceLocation)
      return
    }
    #expect(abs(fitted - value) <= share * value, "\(name) \(fitted)", sourceLocation: sourceLocation)
  }

  /// Rests of 20 minutes and drives of 15 km, back and forth.
  private func journey(_ times: Int, rest: Double = 1200, metres: Double = 15_000) -> Journey {
    Journey(
      from: VolunteersPhone.place(0), at: AlarmStory.start,
      legs: (0..<times).flatMap { number -> [Journey.Leg] in
        [
          .stand(.seconds(rest)),
          .go(
            to: VolunteersPhone.place(number % 2 == 0 ? metres : 0), .metresPerSecond(15), .vehicle),
        ]
      })
  }

  /// Three hours of a session, and three of single requests: hot starts, warm ones and some by the network.
  private var programme: FixedProgramme {
    let satellites = WatchCommand.requestFix(.best, within: .seconds(120))
    let network = WatchCommand.requestFix(.hundredMetres, within: .seconds(30))
    var steps: [(command: WatchCommand, wait: TimeSpan)] = [
      (.session(Session(accuracy: .best)), .hours(3)), (.endSession, .seconds(900)),
    ]
    for _ in 0..<5 {
      steps += [(satellites, .seconds(300)), (satellites, .seconds(600)), (network, .seconds(900))]
    }
    return FixedProgramme(steps: steps)
  }

  @Test(arguments: [false, true]) func `what a phone does is recovered from its journal`(isOther: Bool) throws
  {
    var phone = VolunteersPhone(journey: journey(240))
    phone.parameters = phone.parameters.with {
      $0.movingSpacing = .constant(isOther ? 10 : 25)
      $0.motionDelay =
        isOther
        ? QuantileTable(minimum: 40, p5: 50, p25: 70, p50: 90, p75: 120, p95: 200, p99: 220, maximum: 240)
        : QuantileTable(minimum: 2, p5: 4, p25: 12, p50: 20, p75: 30, p95: 60, p99: 80, maximum: 90)
      $0.hotStartMedianSeconds = isOther ? 2 : 5
      $0.warmStartMedianSeconds = isOther ? 14 : 6
      $0.warmStartSigma = isOther ? 0.4 : 0.8
      $0.accuracyUsualMetres = isOther ? 8 : 13
      $0.accuracyShare5 = isOther ? 0.1 : 0.45
      $0.wifiAccuracyMetres = isOther ? 40 : 90
    }
    phone.energy =
      isOther
      ? .modern.with {
        $0.baseMilliwatts = 60
        $0.acquireFactor = 1
      } : .iPhone6
    let energy = phone.energy
    let (rows, console) = try rows(
      phone.export(on: .timed, programme), "--battery", String(energy.batteryWattHours))
    func expect(_ name: String, _ value: Double, within share: Double) {
      self.expect(rows, name, value, within: share)
    }
    let assumed = phone.parameters
    expect("motionDelay.p50", assumed.motionDelay.p50, within: 0.1)
    expect("motionDelay.p95", assumed.motionDelay.p95, within: 0.15)
    expect("motionDelay.p50, starts", assumed.motionDelay.p50, within: 0.15)
    expect("hotStartMedianSeconds", assumed.hotStartMedianSeconds, within: 0.2)
    expect("warmStartMedianSeconds", assumed.warmStartMedianSeconds, within: 0.25)
    expect("warmStartSigma", assumed.warmStartSigma, within: 0.25)
    expect("movingSpacing.p50", assumed.movingSpacing.p50, within: 0.05)
    expect("accuracyUsualMetres", assumed.accuracyUsualMetres, within: 0.01)
    expect("accuracyShare5", assumed.accuracyShare5, within: 0.25)
    expect("wifiAccuracyMetres", assumed.wifiAccuracyMetres, within: 0.01)
    expect(
      "baseMilliwatts + monitoringMilliwatts + motionMilliwatts",
      energy.baseMilliwatts + energy.motionMilliwatts, within: 0.2)
    expect("bestMovingMilliwatts", energy.bestMovingMilliwatts, within: 0.1)
    // Words of motion come late, so that a part of each rest is taken for a drive.
    expect("bestStillMilliwatts", energy.bestStillMilliwatts, within: 0.2)
    // Factors that the journal cannot tell have no value.
    #expect(rows["exitLatency.p50"] == nil && rows["geofenceLatency.p50"]?.fitted == nil)
    #expect(rows["geofenceLatency.p50"]?.needed == 6 && rows["geofenceLatency.p50"]?.n == 0)
    #expect(rows["motionDelay.p50"]?.assumed == PhoneParameters.measured2019.motionDelay.p50)
    for row in rows.values {
      guard let low = row.low, let high = row.high, let fitted = row.fitted else { continue }
      #expect(low <= fitted && fitted <= high, "\(row)")
    }
    #expect(console.messages.isEmpty, "\(console.messages)")
  }

  @Test(arguments: [false, true]) func `fences are timed by a second phone's way`(isOther: Bool) throws {
    var phone = VolunteersPhone(journey: journey(160, rest: 1500, metres: 6000))
    phone.parameters = phone.parameters.with {
      $0.exitLatency = .constant(isOther ? 260 : 80)
      $0.entryLatency = .constant(isOther ? 50 : 140)
      $0.regionLossProbability = isOther ? 0.3 : 0.05
      $0.spuriousEventsPerDay = 0
      $0.satelliteSigmaMetres = isOther ? 10 : 4
      $0.wifiSigmaMetres = isOther ? 15 : 40
    }
    let fence = Fence(id: FenceID(rawValue: 3), center: VolunteersPhone.place(0), radius: .metres(400))
    let journal = phone.export(
      on: .suspended,
      FixedProgramme(fences: [fence], answer: .requestFix(.best, within: .seconds(60))))
    let (rows, _) = try rows(journal, track: phone.track)
    expect(rows, "exitLatency.p50", isOther ? 260 : 80, within: 0.05)
    expect(rows, "exitLatency.p25", isOther ? 260 : 80, within: 0.05)
    expect(rows, "entryLatency.p50", isOther ? 50 : 140, within: 0.05)
    // The application is suspended, and hears of few stops.
    #expect(rows["(share of changes), stops told"]?.fitted.map { $0 < 0.2 } ?? false)
    expect(rows, "satelliteSigmaMetres", phone.parameters.satelliteSigmaMetres, within: 0.35)
    expect(rows, "wifiSigmaMetres", phone.parameters.wifiSigmaMetres, within: 0.35)
    let lost = try #require(rows["regionLossProbability"]?.fitted)
    #expect(isOther ? (0.2...0.4).contains(lost) : lost < 0.12, "\(lost)")
  }

  @Test(arguments: [false, true]) func `live updates are timed by words and a second phone's way`(
    isOther: Bool
  ) throws {
    var phone = VolunteersPhone(journey: journey(40, rest: 1500, metres: 6000))
    phone.parameters = phone.parameters.with {
      $0.liveRestSeconds = isOther ? 700 : 400
      $0.motionDelay = .constant(isOther ? 90 : 40)
    }
    let (rows, _) = try rows(
      phone.export(
        on: .suspended,
        FixedProgramme(
          session: .wakingOnMotion,
          steps: [(.requestFix(.hundredMetres, within: .seconds(30)), .hours(90))])), track: phone.track)
    expect(rows, "liveRestSeconds", isOther ? 700 : 400, within: 0.05)
    expect(rows, "motionDelay.p50, live updates going on", isOther ? 90 : 40, within: 0.15)
    expect(rows, "(share of changes), stops told", 1, within: 0)
    expect(rows, "(share of changes), starts told after a told stop", 1, within: 0)
  }

  @Test func `a file that is no journal, and one that is damaged, are named`() throws {
    let folder = try TestFolder()
    let phone = VolunteersPhone(journey: journey(4))
    let track = try folder.file("way.csv", phone.track)
    let console = CapturedConsole()
    #expect(console.run("fit", track) == 3)
    #expect(console.messages.contains("way.csv: a track found, the journal of a phone's app expected"))
    let path = folder.path("phone.journal")
    let whole = phone.export(on: .timed, programme)
    try Data(whole.dropLast(9)).write(to: URL(fileURLWithPath: path))
    let cut = CapturedConsole()
    #expect(cut.run("fit", path) == 1)
    #expect(cut.messages.contains("phone.journal: error: the journal after entry"), "\(cut.messages)")
    #expect(cut.lines.contains { $0.contains("n too small") })
    let missing = CapturedConsole()
    #expect(missing.run("fit", folder.path("none.journal")) == 3)
    #expect(missing.run("fit", path, "--phone", "none") == 2)
    #expect(missing.run("fit", path, "--battery", "0") == 2)
  }

  @Test func `a quantile's interval needs enough observations, and holds its quantile`() {
    var sample = FitSample()
    for value in 1...71 { sample.add(Double(value)) }
    #expect(sample.quantile(0.95).needed == 72 && sample.quantile(0.95).value == nil)
    // Conover's table of the binomial distribution: of 71, ranks 27 and 45.
    let median = sample.quantile(0.5)
    #expect(median.value == 36 && median.interval == 27...45, "\(median)")
    sample.add(72)
    #expect(sample.quantile(0.95).interval?.upperBound == 72)
    var share = FitShare()
    for number in 0..<50 { share.add(number < 10) }
    // Wilson's interval of 10 in 50: 11.2 % to 33.0 %.
    let estimate = share.estimate
    #expect(abs((estimate.interval?.lowerBound ?? 0) - 0.1124) < 5e-4)
    #expect(abs((estimate.interval?.upperBound ?? 0) - 0.3304) < 5e-4)
  }

  @Test func `columns that run together get no values, others those that made the sum`() {
    var generator = SeededGenerator(seed: 11)
    let a = (0..<200).map { _ in Double.random(in: -1...1, using: &generator) }
    let b = (0..<200).map { _ in Double.random(in: -1...1, using: &generator) }
    let target = zip(a, b).map { 3 * $0 + 0.5 * $1 }
    let fit = NonNegativeFit([a, b, b.map { -$0 }], target, constants: 1)
    #expect(abs((fit.values[0] ?? 0) - 3) < 1e-6 && fit.values[1] == nil && fit.values[2] == nil)
    let apart = NonNegativeFit([a, b], target.map { $0 }, constants: 1)
    #expect(abs((apart.values[1] ?? 0) - 0.5) < 1e-6)
    let below = NonNegativeFit([a, b], zip(a, b).map { 3 * $0 - 0.5 * $1 }, constants: 1)
    #expect(below.values[1] == 0)
  }
}
