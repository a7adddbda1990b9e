// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]
let simulator = Target.Dependency.product(
  name: "PhoneSimulator", package: "proximity-alarm", condition: .when(platforms: [.linux]))

// Ordinary region monitoring code on the simulated phone.
let package = Package(
  name: "region-monitoring",
  platforms: [.iOS(.v17), .macOS(.v15)],
  dependencies: [.package(name: "proximity-alarm", path: "../..", traits: [])],
  targets: [
    .executableTarget(
      name: "RegionMonitoring",
      dependencies: [
        .product(name: "AlarmEngine", package: "proximity-alarm"),
        .product(name: "Geometry", package: "proximity-alarm"), simulator,
      ], swiftSettings: strict),
    .testTarget(
      name: "RegionMonitoringTests", dependencies: ["RegionMonitoring", simulator], swiftSettings: strict),
  ]
)
