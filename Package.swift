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
      // The page is loaded by phones, so code is made small: a function is copied into its callers only where that is
      // hardly larger than the call, and one that takes a closure is not made anew for each. -Osize would do as much, but
      // misreads spans of array literals (Swift 6.3.1).
      .unsafeFlags([
        "-wmo", "-Xfrontend", "-disable-stack-protector", "-Xllvm", "-inline-threshold=20",
        "-Xllvm", "-force-attribute=minsize", "-Xllvm", "-force-attribute=optsize",
        "-Xllvm", "-sil-disable-pass=closure-specialize",
      ]),
    ]
    : [.treatWarning("EmbeddedRestrictions", as: .error)])
let ordinary: [SwiftSetting] = [.treatAllWarnings(as: .error)]
/// For targets with third-party dependencies. With MemberImportVisibility a file sees extensions only of
/// modules it imports; without it `joined()` resolved to GRDB's SQL version.
let guarded = ordinary + [.enableUpcomingFeature("MemberImportVisibility")]

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
      description:
        "The server, the command line tool and all that they need; without it nothing is resolved."),
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
  // For other modules that are built the same way: `Benchmarks`.
  package.products += [.library(name: "WebRuntime", targets: ["WebRuntime"])]
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
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1",
      traits: ["FullFoundation"]),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
  ]
  /// A product that only the server and the command line tool need.
  func serverOnly(_ product: String, _ package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Server"]))
  }
  package.targets += [
    // Debian and Ubuntu: zlib1g-dev.
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    // Debian and Ubuntu: libsodium-dev.
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    // Debian and Ubuntu: libqrencode-dev.
    .systemLibrary(
      name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .target(
      name: "Formats", dependencies: ["AlarmEngine", "CZlib", "Geometry"], swiftSettings: ordinary),
    // Apart from Formats, so that whoever only reads files needs no libsodium.
    .target(name: "PayloadCrypto", dependencies: ["CSodium"], swiftSettings: ordinary),
    .target(
      name: "PhoneSimulator", dependencies: ["AlarmEngine", "Geometry"],
      swiftSettings: ordinary),
    .target(
      name: "CoreLocationWatch",
      dependencies: [
        "AlarmEngine", "Geometry",
        .target(name: "PhoneSimulator", condition: .when(platforms: [.linux])),
      ], swiftSettings: ordinary),
    .target(
      name: "Store",
      dependencies: [
        "AlarmEngine", "Formats", "Geometry", serverOnly("GRDB", "GRDB.swift"),
        serverOnly("NIOConcurrencyHelpers", "swift-nio"),
      ],
      swiftSettings: ordinary),
    .target(
      name: "Server",
      dependencies: [
        "AlarmEngine", "CQREncode", "CSodium", "CZlib", "Formats", "Geometry", "PayloadCrypto", "Store",
        serverOnly("Hummingbird", "hummingbird"), serverOnly("HummingbirdTLS", "hummingbird"),
        serverOnly("HummingbirdHTTP2", "hummingbird"),
        serverOnly("AsyncHTTPClient", "async-http-client"), serverOnly("Crypto", "swift-crypto"),
        serverOnly("CryptoExtras", "swift-crypto"), serverOnly("HTTPTypes", "swift-http-types"),
        serverOnly("Logging", "swift-log"), serverOnly("NIOConcurrencyHelpers", "swift-nio"),
        serverOnly("NIOCore", "swift-nio"),
        serverOnly("NIOHTTP1", "swift-nio"), serverOnly("NIOHTTPTypes", "swift-nio-extras"),
        serverOnly("NIOTLS", "swift-nio"),
        serverOnly("NIOPosix", "swift-nio"), serverOnly("NIOSSL", "swift-nio-ssl"),
        serverOnly("ServiceLifecycle", "swift-service-lifecycle"),
        serverOnly("UnixSignals", "swift-service-lifecycle"),
      ], swiftSettings: guarded),
    .executableTarget(
      name: "CommandLineTool",
      dependencies: [
        "Formats", "AlarmEngine", "CoreLocationWatch", "Geometry", "PhoneSimulator", "Server",
        "Store", serverOnly("ArgumentParser", "swift-argument-parser"),
      ],
      swiftSettings: guarded),
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
      name: "StoreTests", dependencies: ["Store", "TestSupport", serverOnly("GRDB", "GRDB.swift")],
      resources: [.copy("Fixtures")], swiftSettings: ordinary),
    // What the store can do in a second: `swift build -c release --product StoreBenchmark`.
    .executableTarget(
      name: "StoreBenchmark", dependencies: ["AlarmEngine", "Geometry", "Store"],
      path: "Tests/StoreBenchmark", swiftSettings: ordinary),
    // The HTTP stack alone, beside which `make bench-server` measures the server.
    .executableTarget(
      name: "HTTPStack",
      dependencies: [serverOnly("Hummingbird", "hummingbird"), serverOnly("Logging", "swift-log")],
      path: "Tests/HTTPStack", swiftSettings: ordinary),
    // How fast places are imported and found: `swift build -c release --product PlaceBenchmark`.
    .executableTarget(
      name: "PlaceBenchmark", dependencies: ["AlarmEngine", "Formats", "Geometry", "Store", "TestSupport"],
      path: "Tests/PlaceBenchmark", swiftSettings: ordinary),
    .testTarget(
      name: "ServerTests",
      dependencies: [
        "Server", "Store", "TestSupport", "WebEngine", serverOnly("HummingbirdTesting", "hummingbird"),
        serverOnly("NIOConcurrencyHelpers", "swift-nio"),
      ],
      swiftSettings: guarded),
    .testTarget(
      name: "PayloadCryptoTests", dependencies: ["PayloadCrypto", "TestSupport"], swiftSettings: ordinary),
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
