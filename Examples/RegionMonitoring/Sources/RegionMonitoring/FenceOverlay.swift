/// The style of a fence on a map. An application makes a circle of its map view from it; the page of this
/// example draws it as SVG.
struct FenceOverlay: Equatable, Sendable {
  let fence: Fence
  var stroke = "blue"
  var fill = "orange"
  /// Points.
  var lineWidth = 1.0

  init(_ fence: Fence) { self.fence = fence }
}
