/// How a map draws one fence: a circle on the ground. A map view makes its own circle of it; the page here draws it as
/// SVG.
struct FenceOverlay: Equatable, Sendable {
  let fence: Fence
  var stroke = "blue"
  var fill = "orange"
  /// Points.
  var lineWidth = 1.0

  init(_ fence: Fence) { self.fence = fence }
}
