import AlarmEngine
import CommandLineSupport
import PhoneSimulator

/// A test of whether the claims hold although many parameters of phones are only assumed, or were measured on
/// few phones: each of these parameters is set to the ends of its range, one at a time, and the policies run
/// again.
struct Sensitivity: Sendable {
  /// A parameter labelled as assumed or measured, of the phone or of its energy consumption.
  struct Parameter: Sendable {
    enum Kind: Sendable {
      case phone(ParameterDescription<PhoneParameters>)
      case energy(ParameterDescription<EnergyProfile>)
    }
    let kind: Kind
    var name: String {
      switch kind {
      case .phone(let row): row.name
      case .energy(let row): row.name
      }
    }
    var evidence: EvidenceLabel {
      switch kind {
      case .phone(let row): row.evidence
      case .energy(let row): row.evidence
      }
    }
    var range: ClosedRange<Double> {
      switch kind {
      case .phone(let row): row.range
      case .energy(let row): row.range
      }
    }
    func standard(in setting: SimulationRun.Setting) -> Double {
      switch kind {
      case .phone(let row): row.value(setting.parameters)
      case .energy(let row): setting.profiles.first.map { row.value($0.profile) } ?? row.standard
      }
    }

    /// All parameters except those that the platform fixes.
    static var all: [Self] {
      (PhoneParameters.catalogue.filter(isOpen).map { Self(kind: .phone($0)) })
        + EnergyProfile.catalogue.filter(isOpen).map { Self(kind: .energy($0)) }
    }
    private static func isOpen<Root>(_ row: ParameterDescription<Root>) -> Bool {
      row.evidence.isOpen && row.range.lowerBound < row.range.upperBound
    }

    /// - Returns: the setting with this parameter at a value; parts of a distribution move their neighbours,
    ///   so that they stay in order.
    func applied(_ value: Double, to setting: SimulationRun.Setting) -> SimulationRun.Setting {
      var changed = setting
      switch kind {
      case .phone(let row):
        row.set(&changed.parameters, value)
        Self.order(row, around: value, in: &changed.parameters)
      case .energy(let row):
        for place in changed.profiles.indices { row.set(&changed.profiles[place].profile, value) }
      }
      return changed
    }

    private static func order(
      _ row: ParameterDescription<PhoneParameters>, around value: Double, in parameters: inout PhoneParameters
    ) {
      guard let dot = row.name.firstIndex(of: ".") else { return }
      let prefix = row.name[...dot]
      let parts = PhoneParameters.catalogue.filter { $0.name.hasPrefix(prefix) }
      guard let own = parts.firstIndex(where: { $0.name == row.name }) else { return }
      for (place, part) in parts.enumerated() where place != own {
        let now = part.value(parameters)
        part.set(&parameters, place < own ? min(now, value) : max(now, value))
      }
    }
  }

  /// The numbers of assumed and of measured parameters.
  static func counts(_ parameters: [Parameter]) -> String {
    let measured = parameters.count { $0.evidence != .assumed }
    return [
      counted(parameters.count - measured, "assumed parameter", "assumed parameters"),
      counted(measured, "measured one", "measured ones"),
    ].joined(separator: " and ")
  }

  /// A claim about the certified policy compared with one other.
  struct Claim: Hashable, Sendable {
    let rival: String
    let host: String
    let metric: PolicyComparison.Metric
  }
  /// The result of one setting.
  struct Point: Sendable {
    /// The certified policy's metrics on each host.
    var certified: [String: EvaluationMetrics] = [:]
    /// Positive if the certified policy is better, as a share of the other's joules, or in recall.
    var leads: [Claim: Double] = [:]
  }
  struct Row: Sendable {
    let parameter: Parameter
    let standard: Double
    let low: Point
    let high: Point
  }

  let standard: Point
  let rows: [Row]
  let claims: [Claim]

  /// - Parameter setting: the chosen policies; the certified one and those of the fixed comparisons must be
  ///   among them.
  /// - Throws: `CancellationError`.
  init(
    _ setting: SimulationRun.Setting, over parameters: [Parameter] = Parameter.all,
    step: (Int, Int) -> Bool
  ) throws {
    var setting = setting
    setting.hasAllReferences = false
    setting.profiles = Array(setting.profiles.prefix(1))
    let settings =
      [setting]
      + parameters.flatMap {
        [$0.applied($0.range.lowerBound, to: setting), $0.applied($0.range.upperBound, to: setting)]
      }
    let batches = settings.map { SimulationBatch($0) }
    let jobs = batches.indices.flatMap { batch in batches[batch].jobs.map { (batch, $0) } }
    let answers = try inParallel(
      jobs, telling: { step($0, jobs.count) }, work: { batches[$0.0].run($0.1) })
    var taken = 0
    let points = batches.indices.map { batch -> Point in
      let count = batches[batch].jobs.count
      defer { taken += count }
      return Self.point(batches[batch].entries(Array(answers[taken..<taken + count])))
    }
    standard = points[0]
    rows = parameters.enumerated().map { place, parameter in
      Row(
        parameter: parameter, standard: parameter.standard(in: setting), low: points[1 + 2 * place],
        high: points[2 + 2 * place])
    }
    claims = points[0].leads.keys.sorted {
      ($0.host, $0.rival, $0.metric.rawValue) < ($1.host, $1.rival, $1.metric.rawValue)
    }
  }

  private static func point(_ entries: [SimulationRun.Entry]) -> Point {
    struct Side: Hashable {
      let policy: String
      let host: String
    }
    let metrics = Dictionary(grouping: entries) { Side(policy: $0.subject.policy, host: $0.subject.host) }
      .mapValues { EvaluationMetrics($0.map(\.result), references: $0.map(\.reference)) }
    var point = Point()
    for host in ["H0", "H1", "H2"] {
      guard let own = metrics[Side(policy: "certified", host: host)] else { continue }
      point.certified[host] = own
      for (_, rival) in PolicyComparison.compared {
        guard let other = metrics[Side(policy: rival.name, host: host)] else { continue }
        point.leads[Claim(rival: rival.name, host: host, metric: .recall)] = own.all.recall - other.all.recall
        point.leads[Claim(rival: rival.name, host: host, metric: .joulesPerDay)] =
          (other.joulesPerDay - own.joulesPerDay) / max(1e-9, other.joulesPerDay)
      }
    }
    return point
  }

  /// The smallest lead that counts: one visit in a thousand, one joule in a hundred.
  private static func least(_ metric: PolicyComparison.Metric) -> Double { metric == .recall ? 0.001 : 0.01 }

  /// -1, 0 or 1; 0 for a lead without a value.
  static func sign(_ lead: Double?, _ metric: PolicyComparison.Metric) -> Int {
    guard let lead, lead.isFinite, abs(lead) >= least(metric) else { return 0 }
    return lead > 0 ? 1 : -1
  }

  /// The parameters that give the claim another sign at an end of their range than at the standard.
  func breakers(of claim: Claim) -> [String] {
    let expected = Self.sign(standard.leads[claim], claim.metric)
    return rows.filter { row in
      [row.low, row.high].contains { Self.sign($0.leads[claim], claim.metric) != expected }
    }.map(\.parameter.name)
  }

  /// The difference of the certified policy's energy between a parameter's ends, in joules a day.
  func span(_ row: Row, on host: String) -> Double {
    guard let low = row.low.certified[host], let high = row.high.certified[host] else { return 0 }
    return abs(high.joulesPerDay - low.joulesPerDay)
  }
  var hosts: [String] { standard.certified.keys.sorted() }
}

extension EvidenceLabel {
  /// True if the value may differ on another phone: measured values were measured on few phones.
  var isOpen: Bool {
    switch self {
    case .assumed, .measured, .measuredFromTraces: true
    case .documented, .reported, .recalled: false
    }
  }
}
