/// The layers of an index: one built for all outlines at once and, after edits, one for those inserted since.
struct IndexLayers<Content: Sendable>: Sendable {
  struct Layer: Sendable {
    let content: Content
    /// Maps the outlines' positions when the content was built to those now; nil while they are equal.
    var positions: ListPositions?

    /// -1 for an outline that is gone.
    @inline(__always) func position(_ outline: Int) -> Int { positions?.position(ofBase: outline) ?? outline }
  }

  /// Builds the content of some outlines, named by their positions, ascending.
  typealias Build = (_ outlines: [Int32], _ isSmall: Bool) -> Content

  let base: Layer
  let recent: Layer?

  init(count: Int, build: Build) {
    base = Layer(content: build((0..<Int32(count)).map { $0 }, false))
    recent = nil
  }

  /// Creates the layers after an edit of `former`: the base stays, and new outlines get a layer of their own.
  ///
  /// - Parameters:
  ///   - positions: of the outlines, edited since the base was built; nil where all is to be built anew.
  ///   - count: of the outlines.
  /// - Complexity: O(k log k) for k edits since then, and what it takes to build the content of the recent ones.
  init(replacing former: Self, by positions: ListPositions?, count: Int, build: Build) {
    guard let positions else {
      self.init(count: count, build: build)
      return
    }
    let others = positions.recent.map { Int32($0) }
    self.init(
      base: Layer(content: former.base.content, positions: positions),
      recent: others.isEmpty ? nil : Layer(content: build(others, true)))
  }

  private init(base: Layer, recent: Layer?) { (self.base, self.recent) = (base, recent) }

  /// True if the outlines have the positions that they have in the content.
  var isAsBuilt: Bool { recent == nil && base.positions == nil }
}
