import GeometryWithBoundaries

/// Zones, independent fixes, and fixes of moving devices.
struct Workload {
  enum Name: String, CaseIterable {
    case oneZone = "one-zone"
    case circles = "circles-10k"
    case polygons = "polygons-10k"
    case polygonsOfTheWorld = "polygons-100k-world"
    case bigRings = "big-rings"
    case circlesOfTheWorld = "circles-1m-world"
    case longEdges = "long-edges"
  }

  let zones: ZoneLayout
  let fixes: [MapPoint]
  let journeys: Journeys

  struct Size {
    let fixes: Int
    let devices: Int
    let seconds: Int
    /// A divisor of the numbers of zones and of coast vertices.
    var share = 1
    static let full = Size(fixes: 200_000, devices: 1000, seconds: 200)
    static let fewFixes = Size(fixes: 10_000, devices: 100, seconds: 100)
    /// A size for tests: the same kinds of zones in the same regions, at least 20 where there are that many.
    static let small = Size(fixes: 400, devices: 10, seconds: 30, share: 100)

    fileprivate func zones(_ full: Int) -> Int { max(min(full, 20), full / share) }
  }

  /// - Parameter seed: each number gives another workload of the same kind.
  init(_ name: Name, _ size: Size, seed: UInt64 = 0) {
    let kind = UInt64(Name.allCases.firstIndex(of: name) ?? 0) + 1
    var random = CountedRandom(seed: kind + 1000 * seed)
    let metropolis = 50_000.0
    let zones: ZoneLayout
    let fixes: [MapPoint]
    let starts: [MapPoint]
    switch name {
    case .oneZone:
      let center = MapPoint.metropolitan(east: 0, north: 0)
      zones = .stars(&random, [center], radii: [1000], vertices: [32])
      fixes = random.mixed(
        random.metropolitan(size.fixes, within: 1200), random.metropolitan(size.fixes, within: metropolis),
        0.5)
      starts = random.metropolitan(size.devices, within: 5000)
    case .circles:
      let count = size.zones(10_000)
      let centers = random.clustered(count, within: metropolis)
      zones = .circles(centers, radii: random.uniforms(count, 50, 500).map { ($0 * 10).rounded() / 10 })
      fixes = random.metropolitan(size.fixes, within: metropolis)
      starts = random.integers(size.devices, 0, count - 1).map { centers[$0] }
    case .polygons:
      let count = size.zones(10_000)
      let centers = random.metropolitan(count, within: metropolis)
      let radii = random.ratios(count, 50, 2500)
      zones = .stars(&random, centers, radii: radii, vertices: random.integers(count, 8, 64))
      fixes = random.metropolitan(size.fixes, within: metropolis)
      starts = random.metropolitan(size.devices, within: 45_000)
    case .polygonsOfTheWorld:
      let count = size.zones(100_000)
      let cities = Cities(&random, size.zones(600))
      var centers = cities.near(&random, count)
      var radii = random.ratios(count, 50, 20_000)
      // Two zones that contain a pole.
      centers[count - 2] = MapPoint(longitude: 10, latitude: 89.5)
      centers[count - 1] = MapPoint(longitude: 10, latitude: -89.5)
      (radii[count - 2], radii[count - 1]) = (500_000, 500_000)
      zones = .stars(&random, centers, radii: radii, vertices: random.integers(count, 8, 64))
      fixes = random.mixed(cities.near(&random, size.fixes, 1.2), random.anywhere(size.fixes), 0.8)
      starts = cities.near(&random, size.devices)
    case .bigRings:
      let count = size.zones(200)
      let centers = random.within(count, -8, 38, 36, 66)
      let radii = random.ratios(count, 40_000, 600_000)
      let vertices = random.ratios(count, 5000, 50_000).map { Int($0.rounded()) / size.share }
      zones = .coasts(&random, centers, radii: radii, vertices: vertices)
      fixes = random.within(size.fixes, -12, 42, 33, 69)
      let borders = random.integers(size.devices, 0, zones.vertices.count - 1).map { zones.vertices[$0] }
      starts = random.mixed(borders, random.within(size.devices, -10, 40, 35, 67), 0.5)
    case .circlesOfTheWorld:
      let count = size.zones(1_000_000)
      let cities = Cities(&random, size.zones(1000))
      let centers = cities.near(&random, count)
      zones = .circles(centers, radii: random.uniforms(count, 50, 500).map { ($0 * 10).rounded() / 10 })
      fixes = random.mixed(cities.near(&random, size.fixes, 1.2), random.anywhere(size.fixes), 0.8)
      starts = random.integers(size.devices, 0, count - 1).map { centers[$0] }
    case .longEdges:
      let count = size.zones(500)
      let centers = random.anywhere(count, highestSine: 0.87)
      let radii = random.ratios(count, 60_000, 900_000)
      zones = .stars(&random, centers, radii: radii, vertices: random.integers(count, 4, 8), roughness: 0.15)
      fixes = random.anywhere(size.fixes)
      starts = random.integers(size.devices, 0, zones.vertices.count - 1).map { zones.vertices[$0] }
    }
    self.zones = zones
    self.fixes = fixes
    journeys = Journeys(&random, from: starts, seconds: size.seconds)
  }
}

/// Centres between 60° S and 72° N; the first three are at the antimeridian.
private struct Cities {
  private var centers: [MapPoint] = []
  private let spreads: [Double]

  init(_ random: inout CountedRandom, _ count: Int) {
    let sines = random.uniforms(count, -0.866_025_403_784, 0.951_056_516_295)
    let longitudes = random.uniforms(count, -180, 180)
    for index in 0..<count {
      let latitude = Trigonometry.arcsine(sines[index]) * (180 / Double.pi)
      centers.append(MapPoint(longitude: longitudes[index], latitude: latitude))
    }
    centers[0] = MapPoint(longitude: 179.95, latitude: -17.8)
    centers[1] = MapPoint(longitude: -179.98, latitude: 66)
    centers[2] = MapPoint(longitude: 179.999, latitude: 51.9)
    spreads = random.uniforms(count, 3000, 40_000)
  }

  func near(_ random: inout CountedRandom, _ count: Int, _ factor: Double = 1) -> [MapPoint] {
    let chosen = random.integers(count, 0, centers.count - 1)
    let distances = random.normals(count)
    let azimuths = random.uniforms(count, 0, 2 * Double.pi)
    return (0..<count).map { index in
      let center = centers[chosen[index]]
      return .from(
        longitude: center.longitude, latitude: center.latitude, azimuth: azimuths[index],
        distance: abs(distances[index]) * spreads[chosen[index]] * factor)
    }
  }
}

extension CountedRandom {
  fileprivate mutating func metropolitan(_ count: Int, within half: Double) -> [MapPoint] {
    let (east, north) = (uniforms(count, -half, half), uniforms(count, -half, half))
    return zip(east, north).map { .metropolitan(east: $0, north: $1) }
  }

  /// Draws points of which seven in ten are in 60 neighbourhoods and the others anywhere in the square.
  fileprivate mutating func clustered(_ count: Int, within half: Double) -> [MapPoint] {
    let (middleEast, middleNorth) = (
      uniforms(60, -half * 0.8, half * 0.8), uniforms(60, -half * 0.8, half * 0.8)
    )
    let spread = uniforms(60, 800, 5000)
    let chosen = integers(count, 0, 59)
    let isNear = uniforms(count).map { $0 < 0.7 }
    let (nearEast, farEast) = (normals(count), uniforms(count, -half, half))
    let (nearNorth, farNorth) = (normals(count), uniforms(count, -half, half))
    return (0..<count).map { index in
      let place = chosen[index]
      let east = isNear[index] ? middleEast[place] + spread[place] * nearEast[index] : farEast[index]
      let north = isNear[index] ? middleNorth[place] + spread[place] * nearNorth[index] : farNorth[index]
      return .metropolitan(east: max(-half, min(half, east)), north: max(-half, min(half, north)))
    }
  }

  fileprivate mutating func within(
    _ count: Int, _ west: Double, _ east: Double, _ south: Double, _ north: Double
  ) -> [MapPoint] {
    let (longitudes, latitudes) = (uniforms(count, west, east), uniforms(count, south, north))
    return zip(longitudes, latitudes).map { MapPoint(longitude: $0, latitude: $1) }
  }

  fileprivate mutating func anywhere(_ count: Int, highestSine: Double = 1) -> [MapPoint] {
    let (longitudes, sines) = (uniforms(count, -180, 180), uniforms(count, -highestSine, highestSine))
    return zip(longitudes, sines).map {
      MapPoint(longitude: $0, latitude: Trigonometry.arcsine($1) * (180 / Double.pi))
    }
  }

  fileprivate mutating func mixed(_ a: [MapPoint], _ b: [MapPoint], _ share: Double) -> [MapPoint] {
    a.indices.map { uniform() < share ? a[$0] : b[$0] }
  }
}
