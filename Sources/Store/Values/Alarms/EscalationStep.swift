/// A step of the escalation: channels of step 0 are notified at once, those of later steps if nobody has
/// answered.
public struct EscalationStep: Comparable, Hashable, Sendable {
  public let number: Int

  public static let allowed = 0...20
  public static let first = Self(nearest: 0)

  /// - Returns: nil for a number that is not `allowed`.
  public init?(_ number: Int) {
    guard Self.allowed.contains(number) else { return nil }
    self.number = number
  }

  /// The step of a number, or the nearest that is allowed.
  package init(nearest number: Int) {
    self.number = min(max(number, Self.allowed.lowerBound), Self.allowed.upperBound)
  }

  public static func < (a: Self, b: Self) -> Bool { a.number < b.number }
}
