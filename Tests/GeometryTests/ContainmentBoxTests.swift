import TestSupport
import Testing

@testable import Geometry

@Suite("Boxes in which a place keeps its outlines")
struct ContainmentBoxTests {
  private func entries(_ random: inout SeededGenerator, near center: Coordinate) -> [OutlineIndex.Entry] {
    (0..<60).map { number in
      let place = random.coordinate(near: center, within: 4000)
      let shape: Shape =
        switch number % 5 {
        case 0, 1: .circle(center: place, radius: .metres(random.double(in: 5...1500)))
        case 2:
          .corridor(
            path: [place, random.coordinate(near: place, within: 800)], halfWidth: .metres(30),
            edges: .geodesic)
        case 3:
          .polygon(
            Polygon(
              parts: [.init(outer: random.ring(around: place, radius: 3000, count: 40))], edges: .geodesic))
        default:
          .polygon(
            Polygon(parts: [.init(outer: random.ring(around: place, radius: 300, count: 9))], edges: .lonLat))
        }
      return .init(outline: Outline(shape), inset: .metres(number % 7 == 0 ? -25 : 0))
    }
  }

  /// Places throughout each box, including its corners, are in the same outlines as the place that it was
  /// found for.
  @Test(arguments: 0..<8) func `all of a box is in the same outlines`(seed: UInt64) {
    var random = SeededGenerator(seed: 900 + seed)
    let centers = [
      place(47.5, 11), place(0, 180), place(-33, 179.999), place(66, -180), place(80, 20), place(89.2, 5),
      place(-71, 0), place(0, 0),
    ]
    let entries = entries(&random, near: centers[Int(seed)])
    // Few cells or many.
    let index = ContainmentIndex(entries, density: seed % 2 == 0 ? 1.2 : 0.1)
    let fixes = (0..<64).map { _ in random.coordinate(near: centers[Int(seed)], within: 6000) }
    var boxes = [ContainmentIndex.QuietBox](repeating: .init(), count: 64)
    var hits = ContainmentIndex.Hits()
    fixes.withUnsafeBufferPointer { fixes in
      boxes.withUnsafeMutableBufferPointer {
        index.containing(fixes, boxes: $0.baseAddress!, into: &hits)
      }
    }
    var area = 0.0
    for (number, p) in fixes.enumerated() {
      let outlines = index.containing(p)
      #expect(Array(hits[number]) == outlines, "seed \(seed)")
      let box = boxes[number]
      guard box.south < box.north, box.west < box.east else { continue }
      area += (box.north - box.south) * (box.east - box.west)
      for sample in 0..<12 {
        let (right, up) = (
          sample < 4 ? Double(sample % 2) : random.double(in: 0...1),
          sample < 4 ? Double(sample / 2) : random.double(in: 0...1)
        )
        let there = Coordinate(
          latitude: .degrees(box.south + (box.north - box.south) * up),
          longitude: .degrees(box.west + (box.east - box.west) * right))
        #expect(index.containing(there) == outlines, "seed \(seed), fix \(number), sample \(sample)")
      }
    }
    #expect(area > 0, "seed \(seed): no box at all")
  }

  /// Fixes as a server gets them: the same devices repeatedly in one call, some of them in many outlines.
  @Test(arguments: 0..<4) func `fixes of the same device follow one another`(seed: UInt64) {
    var random = SeededGenerator(seed: 70 + seed)
    let center = place(52, 13)
    let entries = (0..<30).map { number -> OutlineIndex.Entry in
      let place = random.coordinate(near: center, within: 700)
      return .init(outline: Outline(.circle(center: place, radius: .metres(random.double(in: 50...900)))))
    }
    let index = ContainmentIndex(entries)
    var presence = Presence(index, devices: 5)
    var members = [[Int]](repeating: [], count: 5)
    var places = (0..<5).map { _ in random.coordinate(near: center, within: 900) }
    for _ in 0..<3 {
      var (moved, fixes): ([Int32], [Coordinate]) = ([], [])
      for _ in 0..<300 {
        let device = Int(random.next() % 5)
        places[device] = random.coordinate(near: places[device], within: device == 0 ? 300 : 20)
        moved.append(Int32(device))
        fixes.append(places[device])
      }
      var changes: [Presence.Change] = []
      presence.move(moved, to: fixes, changes: &changes)
      var expected: [Presence.Change] = []
      for number in fixes.indices {
        let device = Int(moved[number])
        let now = index.containing(fixes[number])
        for outline in members[device] where !now.contains(outline) {
          expected.append(.init(fix: number, device: device, outline: outline, isEntry: false))
        }
        for outline in now where !members[device].contains(outline) {
          expected.append(.init(fix: number, device: device, outline: outline, isEntry: true))
        }
        members[device] = now
      }
      #expect(changes == expected, "seed \(seed)")
      for device in 0..<5 { #expect(presence.outlines(of: device) == members[device]) }
    }
    #expect(members.contains { $0.count > 3 })
  }
}
