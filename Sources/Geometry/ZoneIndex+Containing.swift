extension ZoneIndex {
  /// Fixes looked up together: enough for the memory's answers to overlap, few enough to stay near.
  private static let together = 64

  /// The zones that contain `p`, ascending.
  public func containing(_ p: Coordinate) -> [Int] {
    var hits = Hits()
    containing(p, into: &hits)
    return Array(hits[0])
  }

  /// The same, without asking for memory; what `hits` held before is replaced.
  public func containing(_ p: Coordinate, into hits: inout Hits) {
    hits.clear()
    grid.read { reader in
      let spot = reader.spot(of: p)
      guard spot.content != 0 else { return }
      hits.write(most: reader.most(spot.content)) { writer in
        reader.visit(spot) { contains(p, zone: $0) } found: { writer.add($0) }
      }
    }
    hits.endFix()
  }

  /// Finds the zones that contain each fix; what `hits` held before is replaced.
  ///
  /// Looks for many fixes at once, step by step, so that they wait for memory together.
  public func containing(_ fixes: [Coordinate], into hits: inout Hits) {
    hits.clear()
    grid.read { reader in
      fixes.withUnsafeBufferPointer { fixes in
        withUnsafeTemporaryAllocation(of: Step.self, capacity: Self.together) { steps in
          var first = 0
          while first < fixes.count {
            let count = min(Self.together, fixes.count &- first)
            containing(
              UnsafeBufferPointer(rebasing: fixes[first..<first &+ count]), steps.baseAddress!, reader, &hits)
            first = first &+ count
          }
        }
      }
    }
  }

  private struct Step {
    var place = ZoneGrid.Reader.TilePlace()
    var spot = ZoneGrid.Spot()
    var cell = 0
  }

  private func containing(
    _ fixes: UnsafeBufferPointer<Coordinate>, _ steps: UnsafeMutablePointer<Step>, _ reader: ZoneGrid.Reader,
    _ hits: inout Hits
  ) {
    for index in 0..<fixes.count {
      (steps + index).initialize(to: Step(place: reader.tile(of: fixes[index])))
    }
    for index in 0..<fixes.count where steps[index].place.entry != 0 {
      steps[index].cell = reader.cell(of: steps[index].place, &steps[index].spot)
    }
    for index in 0..<fixes.count where steps[index].place.entry != 0 {
      let cell = steps[index].cell
      steps[index].spot.content = cell < 0 ? 0 &- cell : Int(reader.cells[cell])
    }
    var most = 0
    for index in 0..<fixes.count { most = most &+ reader.most(steps[index].spot.content) }
    hits.write(most: most) { writer in
      for index in 0..<fixes.count {
        let spot = steps[index].spot
        if spot.content != 0 {
          reader.visit(spot) { contains(fixes[index], zone: $0) } found: { writer.add($0) }
          writer.nextFix()
        }
        // The writer's end is known only here.
        steps[index].cell = writer.end
      }
    }
    for index in 0..<fixes.count { hits.endFix(at: steps[index].cell) }
  }

  /// Measured, not looked up.
  @inline(never) private func contains(_ p: Coordinate, zone: Int) -> Bool {
    distance(Query(p), zone, limit: 1e-6) <= 0
  }
}
