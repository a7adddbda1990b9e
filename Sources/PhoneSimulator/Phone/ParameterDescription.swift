/// How well a figure is known.
public enum EvidenceLabel: String, Sendable, CaseIterable {
  /// By the platform's owner.
  case documented = "D"
  /// By a third party, with a number.
  case measured = "M"
  /// By us, from raw public traces (MobilityNet).
  case measuredFromTraces = "M*"
  /// By practitioners, without a controlled measurement.
  case reported = "R"
  /// From memory, widely repeated.
  case recalled = "K"
  /// By us, so that the simulator has a value.
  case assumed = "A"
}

/// One figure the simulated phone depends on: what it is called, what it is, what it might be, and who says so.
public struct ParameterDescription<Root>: Sendable {
  /// As the property is called; the parts of a distribution as `exitLatency.p50`.
  public let name: String
  /// Of ``PhoneParameters/measured2019`` or ``EnergyProfile/iPhone6``.
  public let standard: Double
  /// What an evaluation should sweep; one value where the platform fixes it.
  public let range: ClosedRange<Double>
  public let evidence: EvidenceLabel
  /// A tag of the reference's list of sources.
  public let source: String
  /// The parameter's value in a set of them.
  public let value: @Sendable (_ root: Root) -> Double
  /// Gives it another value.
  public let set: @Sendable (_ root: inout Root, _ value: Double) -> Void
}

/// A table row before its default is looked up.
struct ParameterRow<Root> {
  let name: String
  let range: ClosedRange<Double>
  let evidence: EvidenceLabel
  let source: String
  let value: @Sendable (Root) -> Double
  let set: @Sendable (inout Root, Double) -> Void

  init(
    _ name: String, _ path: WritableKeyPath<Root, Double> & Sendable, _ range: ClosedRange<Double>,
    _ evidence: EvidenceLabel, _ source: String
  ) {
    self.name = name
    self.range = range
    self.evidence = evidence
    self.source = source
    value = { $0[keyPath: path] }
    set = { $0[keyPath: path] = $1 }
  }

  /// One row a quantile.
  static func distribution(
    _ name: String, _ path: WritableKeyPath<Root, QuantileTable> & Sendable, _ range: ClosedRange<Double>,
    _ evidence: EvidenceLabel, _ source: String
  ) -> [Self] {
    QuantileTable.parts.map { part in
      let partPath = part.path
      return Self(
        name: "\(name).\(part.name)", range: range, evidence: evidence, source: source,
        value: { $0[keyPath: path][keyPath: partPath] }, set: { $0[keyPath: path][keyPath: partPath] = $1 })
    }
  }

  private init(
    name: String, range: ClosedRange<Double>, evidence: EvidenceLabel, source: String,
    value: @escaping @Sendable (Root) -> Double, set: @escaping @Sendable (inout Root, Double) -> Void
  ) {
    self.name = name
    self.range = range
    self.evidence = evidence
    self.source = source
    self.value = value
    self.set = set
  }

  func described(standard: Root) -> ParameterDescription<Root> {
    ParameterDescription(
      name: name, standard: value(standard), range: range, evidence: evidence, source: source, value: value,
      set: set)
  }
}
