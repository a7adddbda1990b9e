/// An angle, kept in degrees as people and files give it, so that a value read is the value written.
public struct Angle: Comparable, Hashable, Sendable {
  public let degrees: Double

  private init(unchecked degrees: Double) { self.degrees = degrees }

  /// - Precondition: `degrees` is finite.
  public static func degrees(_ degrees: Double) -> Self {
    precondition(degrees.isFinite, "an angle is a finite number of degrees")
    return Self(unchecked: degrees)
  }
  /// - Precondition: `radians` is finite.
  public static func radians(_ radians: Double) -> Self { .degrees(radians * (180 / Double.pi)) }

  public var radians: Double { degrees * (Double.pi / 180) }

  public static func < (a: Self, b: Self) -> Bool { a.degrees < b.degrees }
}
