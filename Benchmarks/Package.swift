// swift-tools-version: 6.2
import PackageDescription

/// The points in node, for `wasm32-unknown-none-wasm`: `make bench-wasm` sets it, and only what that needs is built.
let wasm = Context.environment["WASM"] == "1"

let geometry = Target.Dependency.product(name: "Geometry", package: "proximity-alarm")
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]
// There is nobody in node whom a guarded stack could call.
let embedded: [SwiftSetting] = [
  .enableExperimentalFeature("Embedded"), .unsafeFlags(["-wmo", "-Xfrontend", "-disable-stack-protector"]),
]

// A package of its own, so that what measuring needs is nothing to those who depend on the libraries.
let package = Package(
  name: "benchmarks",
  dependencies: [.package(name: "proximity-alarm", path: "..", traits: [])],
  targets: [
    // What native and WebAssembly answers are compared by.
    .target(name: "HitChecksum", swiftSettings: strict + (wasm ? embedded : []))
  ]
)

if wasm {
  package.targets += [
    .executableTarget(
      name: "IndexModule",
      dependencies: ["HitChecksum", geometry, .product(name: "WebRuntime", package: "proximity-alarm")],
      swiftSettings: strict + embedded + [.unsafeFlags(["-parse-as-library"])],
      linkerSettings: [
        .unsafeFlags([
          "-Xclang-linker", "-nostdlib", "-Xlinker", "--no-entry", "-Xlinker", "--stack-first",
          "-Xlinker", "-z", "-Xlinker", "stack-size=262144", "-Xlinker", "--strip-debug",
        ])
      ])
  ]
} else {
  package.targets += [
    // Geometry by a symbolic link, with an index that is only measured: it asks much that Geometry keeps to itself, and has
    // its speed by being compiled together with it.
    .target(
      name: "GeometryWithBoundaries", exclude: ["Geometry/Geometry.docc"], swiftSettings: strict),
    // Debug information as Swift writes it: valgrind stumbles over two kinds in one program.
    .target(name: "CHeap", cSettings: [.unsafeFlags(["-gdwarf-4"])]),
    .executableTarget(
      name: "IndexBenchmark", dependencies: ["CHeap", "GeometryWithBoundaries", "HitChecksum"],
      swiftSettings: strict),
    // What a fix costs through the whole engine: `EngineBenchmark --zones 10000 --devices 1000`.
    .executableTarget(
      name: "EngineBenchmark",
      dependencies: ["CHeap", .product(name: "AlarmEngine", package: "proximity-alarm"), geometry],
      swiftSettings: strict),
    .testTarget(
      name: "IndexBenchmarkTests",
      dependencies: ["GeometryWithBoundaries", "HitChecksum", "IndexBenchmark"], swiftSettings: strict),
  ]
}
