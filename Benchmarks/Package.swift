// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that what measuring needs is nothing to those who depend on the libraries.
let package = Package(
  name: "benchmarks",
  dependencies: [.package(name: "proximity-alarm", path: "..", traits: [])],
  targets: [
    .target(name: "CHeap"),
    .executableTarget(
      name: "IndexBenchmark",
      dependencies: ["CHeap", .product(name: "Geometry", package: "proximity-alarm")],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    // What a fix costs through the whole engine: `EngineBenchmark --zones 10000 --devices 1000`.
    .executableTarget(
      name: "EngineBenchmark",
      dependencies: [
        .product(name: "AlarmEngine", package: "proximity-alarm"),
        .product(name: "Geometry", package: "proximity-alarm"),
      ], swiftSettings: [.treatAllWarnings(as: .error)]),
  ]
)
