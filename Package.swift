// swift-tools-version: 6.2
import PackageDescription

/// Settings of the targets that must also compile with Embedded Swift: what that language subset
/// refuses is an error in the native build too, as far as the compiler can tell.
let portable: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .treatWarning("EmbeddedRestrictions", as: .error),
]
let ordinary: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
  name: "proximity-alarm",
  products: [
    .library(name: "Geometry", targets: ["Geometry"]),
    .library(name: "AlarmEngine", targets: ["AlarmEngine"]),
    .library(name: "Formats", targets: ["Formats"]),
    .executable(name: "proximity", targets: ["CommandLineTool"]),
  ],
  traits: [
    .default(enabledTraits: ["Server"]),
    .trait(
      name: "Server",
      description: "The command line tool and all that it needs; without it nothing is resolved."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    .target(name: "Geometry", swiftSettings: portable),
    .target(name: "AlarmEngine", dependencies: ["Geometry"], swiftSettings: portable),
    .target(name: "Formats", dependencies: ["AlarmEngine", "Geometry"], swiftSettings: ordinary),
    .executableTarget(
      name: "CommandLineTool",
      dependencies: [
        "Formats", "AlarmEngine", "Geometry",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Server"])),
      ],
      swiftSettings: ordinary),

    .target(
      name: "TestSupport", dependencies: ["AlarmEngine", "Geometry"], path: "Tests/TestSupport",
      swiftSettings: ordinary),
    .testTarget(
      name: "GeometryTests", dependencies: ["Geometry", "TestSupport"], swiftSettings: ordinary),
    .testTarget(
      name: "AlarmEngineTests", dependencies: ["AlarmEngine", "TestSupport"],
      swiftSettings: ordinary),
    .testTarget(
      name: "FormatsTests", dependencies: ["Formats", "TestSupport"],
      resources: [.copy("Fixtures")], swiftSettings: ordinary),
    .testTarget(
      name: "CommandLineToolTests", dependencies: ["CommandLineTool", "TestSupport"],
      swiftSettings: ordinary),
  ]
)
