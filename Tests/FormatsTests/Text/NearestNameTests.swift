import Formats
import TestSupport
import Testing

@Suite("The nearest name")
struct NearestNameTests {
  private static let names = ["replay", "locate", "explain", "simulate", "serve", "zones"]

  @Test(arguments: [
    ("replya", "replay"), ("Replay", "replay"), ("simulate", "simulate"), ("simul", "simulate"),
    ("zone", "zones"),
    ("explian", "explain"), ("sreve", "serve"),
  ]) func `a few letters amiss are forgiven`(given: String, meant: String) {
    #expect(nearestName(to: given, among: Self.names) == meant)
  }

  @Test func `what is near none is near none`() {
    for given in ["", "x", "fly", "walk.gpx", String(repeating: "replay", count: 1000)] {
      #expect(nearestName(to: given, among: Self.names) == (given.hasPrefix("replay") ? "replay" : nil))
    }
    #expect(nearestName(to: "replay", among: []) == nil)
  }

  @Test func `of names with random mistakes the right one is found`() {
    for seed in Seeds.few(50) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let name = Self.names[Int.random(in: 0..<Self.names.count, using: &generator)]
      var letters = Array(name)
      let place = Int.random(in: 1..<letters.count - 1, using: &generator)
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: letters.remove(at: place)
      case 1: letters.insert("q", at: place)
      default: letters.swapAt(place, place + 1)
      }
      #expect(nearestName(to: String(letters), among: Self.names) == name, "seed \(seed): \(String(letters))")
    }
  }
}
