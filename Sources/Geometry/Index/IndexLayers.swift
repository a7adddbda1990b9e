/// What an index built for its outlines at once, and, after edits, for those that came since.
struct IndexLayers<Content: Sendable>: Sendable {
  struct Layer: Sendable {
    let content: Content
    /// Where the outlines are that the content names by the positions that they had when it was built; nil while they are the
    /// same.
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

  /// The layers of outlines of which most are those of `former`: what was built stays, what is new is built beside it.
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

  /// Whether the outlines have the positions that they have in the content.
  var isAsBuilt: Bool { recent == nil && base.positions == nil }
}
