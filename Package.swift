// swift-tools-version: 6.2
import PackageDescription

/// The page's build, for `wasm32-unknown-none-wasm`: `make wasm` sets it. The portable targets are then compiled
/// with Embedded Swift, and nothing else is built or resolved.
let wasm = Context.environment["WASM"] == "1"

/// Settings of the targets that must also compile with Embedded Swift: what that language subset
/// refuses is an error in the native build too, as far as the compiler can tell.
let portable: [SwiftSetting] =
  [.treatAllWarnings(as: .error)]
  + (wasm
    ? [
      .enableExperimentalFeature("Embedded"),
      .unsafeFlags(["-wmo", "-Xfrontend", "-disable-stack-protector"]),
    ]
    : [.treatWarning("EmbeddedRestrictions", as: .error)])
let ordinary: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
  name: "proximity-alarm",
  products: [
    .library(name: "Geometry", targets: ["Geometry"]),
    .library(name: "AlarmEngine", targets: ["AlarmEngine"]),
    .library(name: "WebEngine", targets: ["WebEngine"]),
  ],
  traits: [
    .default(enabledTraits: ["Server"]),
    .trait(
      name: "Server",
      description: "The command line tool and all that it needs; without it nothing is resolved."),
  ],
  targets: [
    // The standard library's square root is the C library's where nothing is optimised.
    .target(
      name: "Geometry", swiftSettings: portable,
      linkerSettings: wasm ? [] : [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .target(name: "AlarmEngine", dependencies: ["Geometry"], swiftSettings: portable),
    .target(name: "WebEngine", dependencies: ["AlarmEngine", "Geometry"], swiftSettings: portable),
  ]
)

if wasm {
  package.targets += [
    // What the compiled engine expects of a system: memory, byte copying, wide products.
    .target(
      name: "WebRuntime",
      cSettings: [.unsafeFlags(["-ffreestanding", "-fno-builtin", "-mbulk-memory", "-O2"])]),
    .executableTarget(
      name: "WebModule", dependencies: ["WebEngine", "WebRuntime"],
      swiftSettings: portable + [.unsafeFlags(["-parse-as-library"])],
      linkerSettings: [
        .unsafeFlags([
          "-Xclang-linker", "-nostdlib", "-Xlinker", "--no-entry", "-Xlinker", "--stack-first",
          "-Xlinker", "-z", "-Xlinker", "stack-size=262144", "-Xlinker", "--strip-debug",
          "-Xlinker", "-lswiftUnicodeDataTables",
        ])
      ]),
  ]
} else {
  package.products += [
    .library(name: "Formats", targets: ["Formats"]),
    .library(name: "PhoneSimulator", targets: ["PhoneSimulator"]),
    .executable(name: "proximity", targets: ["CommandLineTool"]),
  ]
  package.dependencies += [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ]
  package.targets += [
    // Debian and Ubuntu: zlib1g-dev.
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .target(
      name: "Formats", dependencies: ["AlarmEngine", "CZlib", "Geometry"], swiftSettings: ordinary),
    .target(
      name: "PhoneSimulator", dependencies: ["AlarmEngine", "Geometry"],
      swiftSettings: ordinary),
    .target(
      name: "CoreLocationWatch",
      dependencies: [
        "AlarmEngine", "Geometry",
        .target(name: "PhoneSimulator", condition: .when(platforms: [.linux])),
      ], swiftSettings: ordinary),
    .executableTarget(
      name: "CommandLineTool",
      dependencies: [
        "Formats", "AlarmEngine", "CoreLocationWatch", "Geometry", "PhoneSimulator",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Server"])),
      ],
      swiftSettings: ordinary),
    // Ordinary region monitoring code on the simulated phone: `swift run RegionMonitoring`.
    .executableTarget(
      name: "RegionMonitoring",
      dependencies: [
        "AlarmEngine", "Geometry",
        .target(name: "PhoneSimulator", condition: .when(platforms: [.linux])),
      ], path: "Examples/RegionMonitoring", swiftSettings: ordinary),

    .target(
      name: "TestSupport", dependencies: ["AlarmEngine", "Geometry"], path: "Tests/TestSupport",
      swiftSettings: ordinary),
    .testTarget(
      name: "GeometryTests", dependencies: ["Geometry", "TestSupport"], swiftSettings: ordinary),
    .testTarget(
      name: "AlarmEngineTests", dependencies: ["AlarmEngine", "TestSupport"],
      swiftSettings: ordinary),
    .testTarget(
      name: "PhoneSimulatorTests", dependencies: ["CoreLocationWatch", "PhoneSimulator", "TestSupport"],
      swiftSettings: ordinary),
    .testTarget(
      name: "CoreLocationWatchTests",
      dependencies: ["CoreLocationWatch", "PhoneSimulator", "TestSupport"], swiftSettings: ordinary),
    .testTarget(
      name: "RegionMonitoringTests", dependencies: ["PhoneSimulator", "RegionMonitoring"],
      swiftSettings: ordinary),
    .testTarget(
      name: "FormatsTests", dependencies: ["Formats", "TestSupport"],
      resources: [.copy("Fixtures")], swiftSettings: ordinary),
    .testTarget(
      name: "CommandLineToolTests", dependencies: ["CommandLineTool", "TestSupport"],
      swiftSettings: ordinary),
    .testTarget(
      name: "WebEngineTests", dependencies: ["WebEngine", "TestSupport"], swiftSettings: ordinary),
    // Writes traces and what the native engine makes of them, for Tests/Wasm to compare.
    .executableTarget(
      name: "TraceRecorder", dependencies: ["WebEngine", "Formats", "TestSupport"],
      path: "Tests/TraceRecorder", swiftSettings: ordinary),
  ]
}
