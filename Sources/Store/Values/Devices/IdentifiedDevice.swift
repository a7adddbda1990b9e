import AlarmEngine

/// The device that belongs to a name, if there is one.
public enum IdentifiedDevice: Hashable, Sendable {
  case device(Device)
  /// Reports under this name need an account's credentials.
  case needsProof
  case unknown
}
