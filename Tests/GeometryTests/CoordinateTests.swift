import Geometry
import TestSupport
import Testing

@Suite("Coordinate")
struct CoordinateTests {
  @Test func `refuses numbers that are no place, and says which`() {
    for latitude in [90.000001, -91, .nan, .infinity] {
      #expect { try Coordinate(latitudeDegrees: latitude, longitudeDegrees: 0) } throws: { error in
        guard case .latitudeOutOfRange(let given)? = error as? CoordinateError else { return false }
        return given == latitude || given.isNaN && latitude.isNaN
      }
    }
    for longitude in [360.000001, -361, .nan, -.infinity] {
      #expect { try Coordinate(latitudeDegrees: 0, longitudeDegrees: longitude) } throws: { error in
        guard case .longitudeOutOfRange(let given)? = error as? CoordinateError else { return false }
        return given == longitude || given.isNaN && longitude.isNaN
      }
    }
  }

  @Test func `turns longitudes into ±180°, exactly`() throws {
    let expected: [(Double, Double)] = [
      (180, 180), (-180, -180), (181, -179), (-181, 179), (359.5, -0.5), (360, 0), (-360, 0), (270, -90),
      (180.00000000000003, -179.99999999999997), (-180.00000000000003, 179.99999999999997),
    ]
    for (given, kept) in expected {
      let c = try Coordinate(latitudeDegrees: 0, longitudeDegrees: given)
      #expect(c.longitude.degrees == kept, "\(given)°")
    }
    let far = Coordinate(latitude: .degrees(0), longitude: .degrees(1e300))
    #expect(abs(far.longitude.degrees) <= 180)
  }

  @Test func `lies in space where the ellipsoid says`() {
    func close(_ c: Cartesian, _ x: Double, _ y: Double, _ z: Double) -> Bool {
      c.squaredDistance(to: Cartesian(x: x, y: y, z: z)) < 1e-16
    }
    let b = 6_356_752.314245179
    #expect(abs(WGS84.polarRadius - b) < 1e-9)
    #expect(close(place(0, 0).ecef, 6_378_137, 0, 0))
    #expect(close(place(0, 90).ecef, 0, 6_378_137, 0))
    #expect(close(place(0, 180).ecef, -6_378_137, 0, 0))
    #expect(close(place(90, 33).ecef, 0, 0, b))
    #expect(close(place(-90, -120).ecef, 0, 0, -b))

    var generator = SeededGenerator(seed: 3)
    for _ in 0..<500 {
      let c = place(generator.double(in: -90...90), generator.double(in: -180...180))
      let p = c.ecef
      let equation =
        (p.x * p.x + p.y * p.y) / (WGS84.equatorialRadius * WGS84.equatorialRadius)
        + p.z * p.z / (WGS84.polarRadius * WGS84.polarRadius)
      #expect(abs(equation - 1) < 2e-15, "seed 3: \(c)")
      // The gradient of that equation points upwards.
      let gradient = Cartesian(
        x: p.x, y: p.y, z: p.z / (1 - WGS84.eccentricitySquared))
      #expect(gradient.cross(c.up).length < 1e-8, "seed 3: \(c)")
      #expect(gradient.dot(c.up) > 0)
    }
  }

  @Test func `is as far through the earth as over it, for short ways`() {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<300 {
      let a = place(generator.double(in: -85...85), generator.double(in: -180...180))
      let b = place(a.latitude.degrees + 1e-5, a.longitude.degrees + 1e-5)
      let chord = a.ecef.squaredDistance(to: b.ecef).squareRoot()
      #expect(abs(a.distance(to: b).metres - chord) < 1e-8, "seed 4: \(a)")
    }
  }

  private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: .degrees(latitude), longitude: .degrees(longitude))
  }
}
