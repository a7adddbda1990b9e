import Geometry
import Testing

@Suite("Distance to an edge")
struct EdgeDistanceTests {
  @Test func `is that of GeographicLib, to a micrometre up to 10 km and a millimetre up to 1,000 km`() throws
  {
    var greatest = (near: 0.0, far: 0.0)
    for row in EdgeDistanceOracle.rows.split(separator: "\n") {
      let fields = row.split(separator: " ")
      let numbers = fields.dropFirst().compactMap { Double($0) }
      try #require(numbers.count == 7)
      let kind: EdgeKind = fields[0] == "lonLat" ? .lonLat : .geodesic
      let (a, b, p) = (
        place(numbers[0], numbers[1]), place(numbers[2], numbers[3]), place(numbers[4], numbers[5])
      )
      // A path without width is its edge.
      let edge = Outline(.corridor(path: [a, b], halfWidth: .zero, edges: kind))
      let error = abs(edge.signedDistance(from: p).metres - numbers[6])
      if numbers[6] <= 10_000 {
        greatest.near = max(greatest.near, error)
      } else {
        greatest.far = max(greatest.far, error)
      }
      #expect(error <= (numbers[6] <= 10_000 ? 1e-6 : 1e-3), "\(row): \(error)")
      let back = Outline(.corridor(path: [b, a], halfWidth: .zero, edges: kind))
      #expect(back.signedDistance(from: p) == edge.signedDistance(from: p), "\(row)")
    }
    #expect(greatest.near < 2e-8 && greatest.far < 5e-7, "greatest errors \(greatest)")
  }
}
