import AlarmEngine

/// What the store knows of a name under which something reports.
public enum IdentifiedDevice: Hashable, Sendable {
  case device(Device)
  /// Reports under this name have to prove that they are an account's.
  case needsProof
  case unknown
}
