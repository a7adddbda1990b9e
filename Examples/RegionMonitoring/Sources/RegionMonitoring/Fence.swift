/// A place to be told of: what a store would hold.
struct Fence: Equatable, Sendable {
  /// Told apart by this, not by their titles; two fences may have one centre.
  let id: String
  let title: String
  /// Degrees.
  let latitude: Double
  let longitude: Double
  /// Metres.
  let radius: Double
}
