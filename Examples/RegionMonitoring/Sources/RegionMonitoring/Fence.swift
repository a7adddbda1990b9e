/// A circular fence, as an application would store it.
struct Fence: Equatable, Sendable {
  /// The only identity of a fence: two fences may have the same title or centre.
  let id: String
  let title: String
  /// Degrees.
  let latitude: Double
  let longitude: Double
  /// Metres.
  let radius: Double
}
