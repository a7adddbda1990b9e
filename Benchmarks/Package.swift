// swift-tools-version: 6.2
import PackageDescription

/// True for the WebAssembly build, `wasm32-unknown-none-wasm`, measured in node. `make bench-wasm` sets the
/// variable; then only the targets of that build are declared.
let wasm = Context.environment["WASM"] == "1"

let geometry = Target.Dependency.product(name: "Geometry", package: "proximity-alarm")
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]
// The stack protector is off: the function that it calls on a failure does not exist in node.
let embedded: [SwiftSetting] = [
  .enableExperimentalFeature("Embedded"), .unsafeFlags(["-wmo", "-Xfrontend", "-disable-stack-protector"]),
]

// A separate package, so that users of the libraries do not get the dependencies of the benchmarks.
let package = Package(
  name: "benchmarks",
  dependencies: [.package(name: "proximity-alarm", path: "..", traits: [])],
  targets: [
    // The checksum by which native and WebAssembly answers are compared.
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
    // Geometry's sources, by a symbolic link, and an index that is only measured. The index uses Geometry's
    // internals, and is fast only if both are compiled as one module.
    .target(
      name: "GeometryWithBoundaries", exclude: ["Geometry/Geometry.docc"], swiftSettings: strict),
    // The DWARF version that Swift writes: valgrind cannot read two versions in one program.
    .target(name: "CHeap", cSettings: [.unsafeFlags(["-gdwarf-4"])]),
    .executableTarget(
      name: "IndexBenchmark", dependencies: ["CHeap", "GeometryWithBoundaries", "HitChecksum"],
      swiftSettings: strict),
    // The cost of a fix in the whole engine: `EngineBenchmark --zones 10000 --devices 1000`.
    .executableTarget(
      name: "EngineBenchmark",
      dependencies: ["CHeap", .product(name: "AlarmEngine", package: "proximity-alarm"), geometry],
      swiftSettings: strict),
    .testTarget(
      name: "IndexBenchmarkTests",
      dependencies: ["GeometryWithBoundaries", "HitChecksum", "IndexBenchmark"], swiftSettings: strict),
  ]
}
