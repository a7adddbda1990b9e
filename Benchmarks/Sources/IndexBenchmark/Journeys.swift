import GeometryWithBoundaries

/// Fixes of many devices at 1 Hz, in a server's order: the first fixes of all devices, then all second fixes,
/// and so on.
///
/// Half walk, half drive, with stops; headings turn smoothly; a receiver's noise drifts by 3 m and jumps by 1.5 m.
struct Journeys {
  let devices: Int
  private(set) var fixes: [MapPoint] = []

  init(_ random: inout CountedRandom, from starts: [MapPoint], seconds: Int) {
    devices = starts.count
    let walks = random.uniforms(devices).map { $0 < 0.5 }
    let slow = random.uniforms(devices, 0.8, 2)
    let fast = random.uniforms(devices, 4, 33)
    let greatest = walks.indices.map { walks[$0] ? slow[$0] : fast[$0] }
    var heading = random.uniforms(devices, 0, 2 * Double.pi)
    var speed = zip(random.uniforms(devices), greatest).map { $0 * $1 }
    var turn = [Double](repeating: 0, count: devices)
    var (east, north, stop) = (turn, turn, turn)
    var driftEast = random.normals(devices).map { 3 * $0 }
    var driftNorth = random.normals(devices).map { 3 * $0 }
    let cosine = starts.map { Trigonometry.sineAndCosine(ofDegrees: $0.latitude).cosine }
    let degrees = 180 / Double.pi
    fixes.reserveCapacity(devices * seconds)
    for _ in 0..<seconds {
      let turns = random.normals(devices)
      let chance = random.uniforms(devices)
      let pause = random.uniforms(devices, 5, 60)
      let drift = (random.normals(devices), random.normals(devices))
      let noise = (random.normals(devices), random.normals(devices))
      for device in 0..<devices {
        turn[device] = 0.9 * turn[device] + (walks[device] ? 0.08 : 0.02) * turns[device]
        heading[device] += turn[device]
        stop[device] =
          stop[device] <= 0 && chance[device] < 0.01 ? pause[device].rounded(.down) : stop[device] - 1
        let target = stop[device] > 0 ? 0 : greatest[device]
        speed[device] += max(-3, min(2, target - speed[device])) * 0.5
        east[device] += speed[device] * Trigonometry.sine(heading[device])
        north[device] += speed[device] * Trigonometry.cosine(heading[device])
        driftEast[device] = 0.97 * driftEast[device] + 0.73 * drift.0[device]
        driftNorth[device] = 0.97 * driftNorth[device] + 0.73 * drift.1[device]
        let x = east[device] + driftEast[device] + 1.5 * noise.0[device]
        let y = north[device] + driftNorth[device] + 1.5 * noise.1[device]
        fixes.append(
          MapPoint(
            longitude: starts[device].longitude + x / (MapPoint.radius * cosine[device]) * degrees,
            latitude: max(-90, min(90, starts[device].latitude + y / MapPoint.radius * degrees))))
      }
    }
  }
}
