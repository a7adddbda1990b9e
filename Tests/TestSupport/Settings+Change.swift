import AlarmEngine

extension Settings {
  /// Sets a setting to a number that is allowed.
  public mutating func change(_ field: RangedField, to number: Double) {
    do { try set(field, to: number) } catch { preconditionFailure("\(number) is not allowed: \(error)") }
  }
}
