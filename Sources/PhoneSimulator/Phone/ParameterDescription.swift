/// The evidence for a figure.
public enum EvidenceLabel: String, Sendable, CaseIterable {
  /// Documented by the platform's owner.
  case documented = "D"
  /// Measured by a third party, with a number.
  case measured = "M"
  /// Measured by us on raw public traces (MobilityNet).
  case measuredFromTraces = "M*"
  /// Reported by practitioners, without a controlled measurement.
  case reported = "R"
  /// Recalled from memory, widely repeated.
  case recalled = "K"
  /// Assumed by us, so that the simulator has a value.
  case assumed = "A"
}

/// One figure of the simulated phone: its name, default, range and source.
public struct ParameterDescription<Root>: Sendable {
  /// The property's name; for a part of a distribution such as `exitLatency.p50`.
  public let name: String
  /// The default, in ``PhoneParameters/measured2019`` or ``EnergyProfile/iPhone6``.
  public let standard: Double
  /// The range for an evaluation to sweep; a single value if the platform fixes it.
  public let range: ClosedRange<Double>
  public let evidence: EvidenceLabel
  /// A tag in the reference's list of sources.
  public let source: String
  /// Reads the figure from a set.
  public let value: @Sendable (_ root: Root) -> Double
  /// Changes the figure in a set.
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

  /// One row for each quantile.
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
