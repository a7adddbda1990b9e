import Geometry
import TestSupport
import Testing

@Suite("Presence of devices")
struct PresenceTests {
  private func entries(_ random: inout SeededGenerator, near center: Coordinate, count: Int) -> [OutlineIndex
    .Entry]
  {
    (0..<count).map { number in
      let place = random.coordinate(near: center, within: 1500)
      let shape: Shape =
        switch number % 4 {
        case 0: .circle(center: place, radius: .metres(random.double(in: 5...400)))
        case 1:
          .corridor(
            path: [place, random.coordinate(near: place, within: 800)], halfWidth: .metres(30),
            edges: .geodesic)
        default:
          .polygon(
            Polygon(parts: [.init(outer: random.ring(around: place, radius: 500, count: 9))], edges: .lonLat))
        }
      return .init(outline: Outline(shape), inset: .metres(number % 6 == 0 ? -20 : 0))
    }
  }

  /// Moves devices around: the reported presence equals measuring each fix, and the changes add up to it.
  @Test(arguments: 0..<4) func `tells of every change and of nothing else`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let center = [place(47.5, 11), place(0, 180), place(-33, 179.999), place(66, -180)][Int(seed % 4)]
    var entries = entries(&random, near: center, count: 40)
    var index = ContainmentIndex(entries)
    var presence = Presence(index, devices: 6)
    var places = (0..<6).map { _ in random.coordinate(near: center, within: 2000) }
    var members = [Set<Int>](repeating: [], count: 6)
    for second in 0..<60 {
      if second == 30 {
        // One outline is replaced by another: devices in it are not reported.
        entries[7] = .init(outline: Outline(.circle(center: places[0], radius: .metres(80))))
        var positions = (0..<40).map { Int32($0) }
        positions[7] = -1
        index = ContainmentIndex(
          editing: index, by: ListEdit(removed: [7], inserted: [7]), [entries[7]])
        presence.replaceIndex(with: index, positions: positions)
        for device in members.indices { members[device].remove(7) }
      }
      for device in places.indices {
        places[device] = random.coordinate(near: places[device], within: device < 3 ? 3 : 60)
      }
      var changes: [Presence.Change] = []
      presence.move((0..<6).map { Int32($0) }, to: places, changes: &changes)
      for change in changes {
        #expect(change.fix == change.device)
        if change.isEntry {
          #expect(members[change.device].insert(change.outline).inserted, "seed \(seed): entered twice")
        } else {
          #expect(members[change.device].remove(change.outline) != nil, "seed \(seed): left twice")
        }
      }
      for device in places.indices {
        let inside = entries.indices.filter {
          entries[$0].outline.signedDistance(from: places[device]) + entries[$0].inset <= .zero
        }
        #expect(members[device].sorted() == inside, "seed \(seed), second \(second)")
        #expect(presence.outlines(of: device) == inside, "seed \(seed), second \(second)")
      }
    }
  }
}
