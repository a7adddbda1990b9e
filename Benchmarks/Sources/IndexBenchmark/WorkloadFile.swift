import Foundation

/// A workload as files for the peers' programs: 8-byte numbers in the machine's byte order.
extension Workload {
  func write(to directory: String, _ name: Name) throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let base = "\(directory)/\(name.rawValue)"
    var bytes = Data()
    bytes.append(numbers: [zones.kind == .circles ? 0 : 1, UInt64(zones.count), UInt64(zones.vertices.count)])
    bytes.append(numbers: zones.first.map { UInt64($0) })
    let radii = zones.kind == .circles ? zones.radii : [Double](repeating: 0, count: zones.count)
    bytes.append(numbers: radii.map(\.bitPattern))
    bytes.append(places: zones.vertices)
    try bytes.write(to: URL(fileURLWithPath: base + ".zones"))
    try Self.write(fixes, to: base + ".fixes")
    try Self.write(journeys.fixes, to: base + ".journeys")
  }

  private static func write(_ fixes: [MapPoint], to path: String) throws {
    var bytes = Data()
    bytes.append(numbers: [UInt64(fixes.count)])
    bytes.append(places: fixes)
    try bytes.write(to: URL(fileURLWithPath: path))
  }
}

extension Data {
  fileprivate mutating func append(numbers: [UInt64]) {
    numbers.withUnsafeBytes { append(contentsOf: $0) }
  }
  fileprivate mutating func append(places: [MapPoint]) {
    append(numbers: places.flatMap { [$0.longitude.bitPattern, $0.latitude.bitPattern] })
  }
}
