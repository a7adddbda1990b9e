/// What an index built for its outlines at once, and, after edits, for those that came since.
struct IndexLayers<Content: Sendable>: Sendable {
  struct Layer: Sendable {
    let content: Content
    /// The outlines' positions by those they had when the content was built, -1 for one that is gone; empty while they are
    /// the same.
    var positions: [Int32] = []

    @inline(__always) func position(_ outline: Int) -> Int {
      positions.isEmpty ? outline : Int(positions[outline])
    }
  }

  /// Builds the content of some outlines, named by their positions, ascending.
  typealias Build = (_ outlines: [Int32], _ isSmall: Bool) -> Content

  let base: Layer
  let recent: Layer?

  init(count: Int, build: Build) {
    base = Layer(content: build((0..<Int32(count)).map { $0 }, false))
    recent = nil
  }

  private init(base: Layer, recent: Layer?) {
    self.base = base
    self.recent = recent
  }

  /// More outlines than this share of all, edited since the whole was built, and the whole is built anew.
  private static var mostRecent: Int { 50 }

  /// The layers of outlines of which most are those of `former`: what was built stays, what is new is built beside it.
  ///
  /// - Parameters:
  ///   - count: of the outlines in `former`.
  ///   - unchanged: for each outline its position in `former` where it is the same, or -1. No position twice.
  /// - Complexity: O(n) in numbers copied; well below a millisecond for one edit of 10,000 outlines.
  init(replacing former: Self, count: Int, unchanged: [Int32], build: Build) {
    var next = [Int32](repeating: -1, count: count)
    for (position, old) in unchanged.enumerated() where old >= 0 { next[Int(old)] = Int32(position) }
    var base = former.base
    let built = base.positions.isEmpty ? (0..<Int32(count)).map { $0 } : base.positions
    var isInBase = [Bool](repeating: false, count: unchanged.count)
    base.positions = built.map { old in
      let position = old < 0 ? -1 : next[Int(old)]
      if position >= 0 { isInBase[Int(position)] = true }
      return position
    }
    let others = unchanged.indices.filter { !isInBase[$0] }.map { Int32($0) }
    guard (others.count + built.count - (unchanged.count - others.count)) * Self.mostRecent <= unchanged.count
    else {
      self.init(count: unchanged.count, build: build)
      return
    }
    self.init(base: base, recent: others.isEmpty ? nil : Layer(content: build(others, true)))
  }

  /// Whether the outlines have the positions that they have in the content.
  var isAsBuilt: Bool { recent == nil && base.positions.isEmpty }
}
