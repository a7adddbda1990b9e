// swift-tools-version: 6.2
import PackageDescription

/// The page's build, for `wasm32-unknown-none-wasm`: `make wasm` sets it. The portable targets are then compiled
/// with Embedded Swift, and nothing else is built or resolved.
let wasm = Context.environment["WASM"] == "1"

/// The engine is compiled with optimisation and all checks in the debug build: `make` sets it, since the tests take a
/// third of the time so. Whoever steps through the engine builds without; a package with such flags cannot be linked by others.
let quick: [SwiftSetting] =
  Context.environment["QUICK_ENGINE"] == "1"
  ? [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))] : []

/// `make run` and `make test` compile code that is seldom at work without optimisation: `make` sets it. A package for users
/// is built without.
let cold: [SwiftSetting] =
  Context.environment["QUICK_BUILD"] == "1" ? [.unsafeFlags(["-Onone"], .when(configuration: .release))] : []

/// Warnings are errors on Linux, where the product is built and tested, and stay warnings in an Xcode whose compiler knows
/// others.
#if os(Linux)
  let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]
  let embeddedRestrictions: [SwiftSetting] = [.treatWarning("EmbeddedRestrictions", as: .error)]
#else
  let strict: [SwiftSetting] = []
  let embeddedRestrictions: [SwiftSetting] = []
#endif

/// Settings of the targets that must also compile with Embedded Swift: what that language subset
/// refuses is an error in the native build too, as far as the compiler can tell.
let portableModule: [SwiftSetting] =
  strict
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
    : embeddedRestrictions + quick)
/// The module that is linked compiles the code of all others once more, from their intermediate form. Machine code of their
/// own would be thrown away: half the time of the page's build.
let portable: [SwiftSetting] =
  portableModule + (wasm ? [.unsafeFlags(["-Xfrontend", "-emit-empty-object-file"])] : [])
let ordinary = strict
/// For targets with third-party dependencies. A file sees extensions only of modules that it imports; without this,
/// `joined()` of a list of texts resolved to GRDB's, which joins SQL.
let guarded = ordinary + [.enableUpcomingFeature("MemberImportVisibility")]

let package = Package(
  name: "proximity-alarm",
  platforms: [.iOS(.v17), .macOS(.v15)],
  products: [
    .library(name: "Geometry", targets: ["Geometry"]),
    .library(name: "AlarmEngine", targets: ["AlarmEngine"]),
    .library(name: "PAD", targets: ["PAD"]),
    .library(name: "PhoneHost", targets: ["PhoneHost"]),
    .library(name: "WebEngine", targets: ["WebEngine"]),
  ],
  traits: [
    .default(enabledTraits: ["Server", "PostgreSQL"]),
    .trait(
      name: "Server",
      description:
        "The server, the command line tool and all that they need; without it nothing is resolved."),
    .trait(
      name: "PostgreSQL",
      description: "The store in a PostgreSQL server; without it nothing is linked with libpq."),
    .trait(
      name: "TLS",
      description:
        "HTTPS and HTTP/2 inside the server, and mqtts://; without it HTTPS is the work of Caddy (--domain) or another proxy."
    ),
  ],
  targets: [
    // The standard library's square root is the C library's where nothing is optimised.
    .target(
      name: "Geometry", swiftSettings: portable,
      linkerSettings: wasm ? [] : [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .target(name: "AlarmEngine", dependencies: ["Geometry"], swiftSettings: portable),
    // The whole watch of a phone, in its process: what its system tells goes in, what it is to do comes out.
    .target(name: "PhoneHost", dependencies: ["AlarmEngine", "Geometry"], swiftSettings: portable),
    // The file format in which zones are passed on: the page reads and writes it as well as the server.
    .target(name: "PAD", dependencies: ["AlarmEngine", "Geometry"], swiftSettings: portable),
    // Files of zones that other programs write: the page reads them as well as the program.
    .target(name: "ZoneFormats", dependencies: ["AlarmEngine", "Geometry", "PAD"], swiftSettings: portable),
    // Files of tracks, alike.
    .target(
      name: "TrackFormats", dependencies: ["AlarmEngine", "Geometry", "PhoneHost", "ZoneFormats"],
      swiftSettings: portable),
    .target(
      name: "WebEngine", dependencies: ["AlarmEngine", "Geometry", "PAD", "PhoneHost"],
      swiftSettings: portable),
    // Files as a page asks for them.
    .target(
      name: "FileEngine", dependencies: ["AlarmEngine", "TrackFormats", "WebEngine", "ZoneFormats"],
      swiftSettings: portable),
  ]
)

if wasm {
  let webModuleLinking: [LinkerSetting] = [
    .unsafeFlags([
      "-Xclang-linker", "-nostdlib", "-Xlinker", "--no-entry", "-Xlinker", "--stack-first",
      "-Xlinker", "-z", "-Xlinker", "stack-size=262144", "-Xlinker", "--strip-debug",
      "-Xlinker", "-lswiftUnicodeDataTables",
    ])
  ]
  // For other modules that are built the same way: `Benchmarks`.
  package.products += [.library(name: "WebRuntime", targets: ["WebRuntime"])]
  package.targets += [
    // What the compiled engine expects of a system: memory, byte copying, wide products.
    .target(
      name: "WebRuntime",
      cSettings: [.unsafeFlags(["-ffreestanding", "-fno-builtin", "-mbulk-memory", "-O2"])]),
    .executableTarget(
      name: "WebModule", dependencies: ["WebEngine", "WebRuntime"],
      swiftSettings: portableModule + [.unsafeFlags(["-parse-as-library"])], linkerSettings: webModuleLinking),
    // Loaded only when a file is read.
    .executableTarget(
      name: "FileModule", dependencies: ["FileEngine", "WebRuntime"],
      swiftSettings: portableModule + [.unsafeFlags(["-parse-as-library"])], linkerSettings: webModuleLinking),
  ]
} else {
  package.products += [
    .library(name: "Formats", targets: ["Formats"]),
    .library(name: "CoreLocationWatch", targets: ["CoreLocationWatch"]),
    .library(name: "PhoneSimulator", targets: ["PhoneSimulator"]),
    .library(name: "StreetMap", targets: ["StreetMap"]),
    .executable(name: "proximity", targets: ["CommandLineTool"]),
    .executable(name: "proximity-lab", targets: ["LabTool"]),
  ]
  package.dependencies += [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1",
      traits: ["FullFoundation"]),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
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
  /// A product that only TLS inside the server needs: BoringSSL takes as long to compile as half of our own code.
  func withTLS(_ product: String, _ package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["TLS"]))
  }
  /// The client of PostgreSQL, where it is wanted: its users say `#if PostgreSQL`.
  let postgreSQLClient = Target.Dependency.target(
    name: "PostgreSQLClient", condition: .when(traits: ["PostgreSQL"]))
  package.targets += [
    // Debian and Ubuntu: zlib1g-dev.
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    // Debian and Ubuntu: libzip-dev.
    .systemLibrary(name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
    // Debian and Ubuntu: libsodium-dev.
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    // Debian and Ubuntu: libssl-dev, which libpq-dev brings.
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    // Debian and Ubuntu: libcurl4-openssl-dev.
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    // Debian and Ubuntu: libpq-dev.
    .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(
      name: "Formats",
      dependencies: [
        "AlarmEngine", "CZip", "CZlib", "Geometry", "PAD", "PhoneHost", "TrackFormats", "ZoneFormats",
      ],
      swiftSettings: ordinary),
    // The functions that Java calls on Android.
    .target(
      name: "PhoneModule", dependencies: ["AlarmEngine", "PhoneHost", "WebEngine"], swiftSettings: portable),
    // What of an extract of OpenStreetMap is drawn on the map, and what is served of it.
    .target(name: "StreetMap", dependencies: ["Formats", "Geometry"], swiftSettings: ordinary),
    // Apart from Formats, so that whoever only reads files needs no libsodium.
    .target(name: "PayloadCrypto", dependencies: ["CSodium"], swiftSettings: ordinary),
    .target(
      name: "PhoneSimulator", dependencies: ["AlarmEngine", "Geometry", "PhoneHost"],
      swiftSettings: ordinary + quick),
    .target(
      name: "CoreLocationWatch",
      dependencies: [
        "AlarmEngine", "Geometry", "PhoneHost",
        .target(name: "PhoneSimulator", condition: .when(platforms: [.linux])),
      ], swiftSettings: ordinary),
    // Hashes, signatures and ciphers, as values of Swift.
    .target(name: "Cryptography", dependencies: ["COpenSSL"], swiftSettings: guarded),
    // Signs packs of zones and checks them. Their form is of Formats, which needs no package.
    .target(name: "Packs", dependencies: ["AlarmEngine", "Cryptography", "Formats"], swiftSettings: guarded),
    // Connections to a PostgreSQL server. It knows nothing of what is stored.
    .target(name: "PostgreSQLClient", dependencies: ["CPostgreSQL"], swiftSettings: ordinary),
    // Exchanges with other servers over HTTP and SMTP. It knows nothing of what is sent.
    .target(name: "CurlClient", dependencies: ["CCurl"], swiftSettings: ordinary),
    // A connection to an MQTT broker. It knows nothing of phones and alarms.
    .target(
      name: "MQTTClient",
      dependencies: [
        serverOnly("NIOConcurrencyHelpers", "swift-nio"), serverOnly("NIOCore", "swift-nio"),
        serverOnly("NIOPosix", "swift-nio"), withTLS("NIOSSL", "swift-nio-ssl"),
        withTLS("NIOTLS", "swift-nio"),
      ], swiftSettings: guarded),
    .target(
      name: "Store",
      dependencies: [
        "AlarmEngine", "Geometry", "PAD", serverOnly("GRDB", "GRDB.swift"),
        serverOnly("NIOConcurrencyHelpers", "swift-nio"), postgreSQLClient,
      ],
      swiftSettings: ordinary),
    // Places of a map, in an SQLite file of their own. Apart from Store, which compiles beside Formats so.
    .target(
      name: "Places",
      dependencies: [
        "AlarmEngine", "Formats", "Geometry", "Store", serverOnly("GRDB", "GRDB.swift"),
        serverOnly("NIOConcurrencyHelpers", "swift-nio"),
      ], swiftSettings: ordinary),
    // Attempts to notify people and programs: mail, push, webhooks. It knows no database.
    .target(
      name: "Delivery",
      dependencies: [
        "AlarmEngine", "Cryptography", "CurlClient", "Formats", "Geometry", "PayloadCrypto", "Store",
        serverOnly("NIOConcurrencyHelpers", "swift-nio"), serverOnly("NIOCore", "swift-nio"),
        serverOnly("NIOHTTP1", "swift-nio"), serverOnly("NIOPosix", "swift-nio"),
      ], swiftSettings: guarded),
    // What becomes of reports, answers and edits: read, decide, commit. It knows no HTTP requests.
    .target(
      name: "AlarmService",
      dependencies: [
        "AlarmEngine", "Cryptography", "Delivery", "Formats", "Geometry", "PAD", "Packs", "PayloadCrypto",
        "Places", "Store", serverOnly("Logging", "swift-log"),
        serverOnly("NIOConcurrencyHelpers", "swift-nio"),
        serverOnly("NIOCore", "swift-nio"), serverOnly("NIOHTTP1", "swift-nio"),
        serverOnly("NIOPosix", "swift-nio"),
        serverOnly("ServiceLifecycle", "swift-service-lifecycle"),
      ], swiftSettings: guarded),
    .target(
      name: "Server",
      dependencies: [
        "AlarmEngine", "AlarmService", "CSodium", "Cryptography", "Delivery", "Formats",
        "Geometry", "MQTTClient", "PAD", "Packs", "PayloadCrypto", "Places", "Store", "StreetMap",
        serverOnly("Hummingbird", "hummingbird"), withTLS("HummingbirdHTTP2", "hummingbird"),
        serverOnly("HTTPTypes", "swift-http-types"),
        serverOnly("Logging", "swift-log"), serverOnly("NIOConcurrencyHelpers", "swift-nio"),
        serverOnly("NIOCore", "swift-nio"),
        serverOnly("NIOHTTP1", "swift-nio"), serverOnly("NIOHTTPTypes", "swift-nio-extras"),
        serverOnly("NIOPosix", "swift-nio"), withTLS("NIOSSL", "swift-nio-ssl"),
        withTLS("NIOTLS", "swift-nio"),
        serverOnly("ServiceLifecycle", "swift-service-lifecycle"),
        serverOnly("UnixSignals", "swift-service-lifecycle"),
      ], swiftSettings: guarded),
    // Shared by both programs: console, input files, words, maps of reports.
    .target(
      name: "CommandLineSupport",
      dependencies: [
        "AlarmEngine", "Formats", "Geometry", "PAD", "PhoneHost", "StreetMap",
        serverOnly("ArgumentParser", "swift-argument-parser"),
      ], resources: [.embedInCode("Report/report.css")], swiftSettings: guarded + cold),
    .executableTarget(
      name: "CommandLineTool",
      dependencies: [
        "AlarmEngine", "AlarmService", "CommandLineSupport", "Cryptography", "Delivery", "Formats",
        "Geometry",
        "PAD", "Packs", "PhoneHost", "Places", "Server", "Store", "StreetMap",
        serverOnly("ArgumentParser", "swift-argument-parser"),
      ], resources: [.embedInCode("Report/report.js")], swiftSettings: guarded + cold),
    // Experiments: the phone simulator, and what watch policies miss and spend on it.
    .executableTarget(
      name: "LabTool",
      dependencies: [
        "AlarmEngine", "CommandLineSupport", "CoreLocationWatch", "Formats", "Geometry", "PhoneHost",
        "PhoneSimulator", "StreetMap", serverOnly("ArgumentParser", "swift-argument-parser"),
      ],
      resources: [.embedInCode("Simulation/scene.js"), .embedInCode("Simulation/simulation.css")],
      swiftSettings: guarded),

    .target(
      name: "TestSupport", dependencies: ["AlarmEngine", "Geometry", "PhoneHost", postgreSQLClient],
      path: "Tests/TestSupport", swiftSettings: ordinary),
    .testTarget(
      name: "GeometryTests", dependencies: ["Geometry", "TestSupport"], swiftSettings: ordinary),
    .testTarget(
      name: "AlarmEngineTests", dependencies: ["AlarmEngine", "TestSupport"],
      swiftSettings: ordinary),
    .testTarget(
      name: "PhoneHostTests", dependencies: ["PhoneHost", "PhoneSimulator", "TestSupport"],
      swiftSettings: ordinary),
    .testTarget(name: "PADTests", dependencies: ["PAD", "TestSupport"], swiftSettings: ordinary),
    .testTarget(
      name: "PhoneSimulatorTests", dependencies: ["CoreLocationWatch", "PhoneSimulator", "TestSupport"],
      swiftSettings: ordinary),
    .testTarget(
      name: "CoreLocationWatchTests",
      dependencies: ["CoreLocationWatch", "PhoneHost", "PhoneSimulator", "TestSupport"],
      swiftSettings: ordinary),
    .testTarget(
      name: "FormatsTests",
      dependencies: [
        "CZlib", "FileEngine", "Formats", "PAD", "PhoneHost", "TestSupport", "TrackFormats", "WebEngine",
        "ZoneFormats",
      ],
      resources: [.copy("Fixtures")], swiftSettings: ordinary),
    .testTarget(
      name: "CryptographyTests", dependencies: ["Cryptography", "TestSupport"], swiftSettings: guarded),
    .testTarget(
      name: "PacksTests",
      dependencies: [
        "CoreLocationWatch", "Formats", "PAD", "Packs", "PhoneHost", "PhoneSimulator", "TestSupport",
      ],
      swiftSettings: guarded),
    .testTarget(
      name: "StreetMapTests", dependencies: ["Formats", "StreetMap", "TestSupport"], swiftSettings: ordinary),
    .testTarget(
      name: "PostgreSQLClientTests", dependencies: ["PostgreSQLClient", "TestSupport"],
      swiftSettings: ordinary),
    .testTarget(
      name: "MQTTClientTests",
      dependencies: ["MQTTClient", "TestSupport", serverOnly("NIOCore", "swift-nio")],
      swiftSettings: guarded),
    // What tests of the store and of the server share; it sees the store's inside.
    .target(
      name: "StoreTestSupport", dependencies: ["AlarmEngine", "Store"], path: "Tests/StoreTestSupport",
      swiftSettings: ordinary),
    .testTarget(
      name: "StoreTests",
      dependencies: ["Store", "StoreTestSupport", "TestSupport", serverOnly("GRDB", "GRDB.swift")],
      swiftSettings: ordinary),
    .testTarget(
      name: "PlacesTests",
      dependencies: [
        "Formats", "Geometry", "Places", "Store", "TestSupport", serverOnly("GRDB", "GRDB.swift"),
      ], swiftSettings: ordinary),
    .testTarget(
      name: "ServerTests",
      dependencies: [
        "AlarmService", "COpenSSL", "CZlib", "Cryptography", "CurlClient", "Delivery", "Formats",
        "MQTTClient", "PAD", "Packs", "Places", "Server", "Store", "StoreTestSupport", "StreetMap",
        "TestSupport", "WebEngine",
        serverOnly("GRDB", "GRDB.swift"),
        serverOnly("Hummingbird", "hummingbird"), serverOnly("NIOConcurrencyHelpers", "swift-nio"),
        serverOnly("NIOEmbedded", "swift-nio"), withTLS("NIOSSL", "swift-nio-ssl"),
      ],
      swiftSettings: guarded),
    .testTarget(
      name: "PayloadCryptoTests", dependencies: ["PayloadCrypto", "TestSupport"], swiftSettings: ordinary),
    // Shared by the tests of both programs: a console in memory, folders, small inputs.
    .target(
      name: "CommandLineTestSupport", dependencies: ["CommandLineSupport", "TestSupport"],
      path: "Tests/CommandLineTestSupport", swiftSettings: ordinary),
    .testTarget(
      name: "CommandLineToolTests",
      dependencies: [
        "CommandLineSupport", "CommandLineTestSupport", "CommandLineTool", "PhoneHost", "Store",
        "TestSupport",
      ], swiftSettings: ordinary),
    .testTarget(
      name: "LabToolTests",
      dependencies: [
        "AlarmEngine", "CommandLineSupport", "CommandLineTestSupport", "CoreLocationWatch", "Geometry",
        "LabTool", "PhoneHost", "PhoneSimulator", "TestSupport",
      ], swiftSettings: ordinary),
    .testTarget(
      name: "WebEngineTests", dependencies: ["PAD", "PhoneHost", "WebEngine", "TestSupport"],
      swiftSettings: ordinary),
    // Writes traces and what the native engine makes of them, for Tests/Wasm to compare.
    .executableTarget(
      name: "TraceRecorder",
      dependencies: ["FileEngine", "Formats", "PAD", "PhoneHost", "TestSupport", "WebEngine"],
      path: "Tests/TraceRecorder", swiftSettings: ordinary),
  ]

  // Programs that measure, which neither the product nor its tests need: `make bench-server` sets it.
  if Context.environment["BENCHMARKS"] == "1" {
    package.targets += [
      // Measures the store's transactions a second: `BENCHMARKS=1 swift build -c release --product StoreBenchmark`.
      .executableTarget(
        name: "StoreBenchmark", dependencies: ["AlarmEngine", "Geometry", "Store", "TestSupport"],
        path: "Tests/StoreBenchmark", swiftSettings: ordinary),
      // The HTTP stack alone, beside which `make bench-server` measures the server.
      .executableTarget(
        name: "HTTPStack",
        dependencies: [serverOnly("Hummingbird", "hummingbird"), serverOnly("Logging", "swift-log")],
        path: "Tests/HTTPStack", swiftSettings: ordinary),
      // How fast places are imported and found: `BENCHMARKS=1 swift build -c release --product PlaceBenchmark`.
      .executableTarget(
        name: "PlaceBenchmark",
        dependencies: ["AlarmEngine", "Formats", "Geometry", "Places", "Store", "TestSupport"],
        path: "Tests/PlaceBenchmark", swiftSettings: ordinary),
    ]
  }
}

// The iOS app (`iOS/App`, built for phones by iOS/Proximity.xcodeproj) is compiled and run here against fakes.
#if os(Linux)
  if !wasm {
    package.targets += [
      // What the app uses of UIKit, WebKit, UserNotifications, AlarmKit and their neighbours, on the simulated phone.
      // As Apple's headers are: whose closures are called on another thread is not checked when they are made, but by a trap.
      .target(
        name: "AppleFakes", dependencies: ["AlarmEngine", "PhoneSimulator"],
        swiftSettings: ordinary + [.swiftLanguageMode(.v5)]),
      .target(
        name: "ProximityApp",
        dependencies: [
          "AlarmEngine", "AppleFakes", "CoreLocationWatch", "Geometry", "PhoneHost", "PhoneSimulator",
          "WebEngine",
        ], path: "iOS/App",
        exclude: [
          "Assets.xcassets", "PrivacyInfo.xcprivacy", "de.lproj", "en.lproj", "es.lproj", "fr.lproj",
          "ja.lproj",
        ], swiftSettings: ordinary),
      .testTarget(
        name: "iOSAppTests",
        dependencies: [
          "AppleFakes", "PhoneHost", "PhoneSimulator", "ProximityApp", "TestSupport", "WebEngine",
        ], swiftSettings: ordinary),
    ]
  }
#endif

// `make test-tls` compiles only the tests that it runs, and what they need.
if Context.environment["TLS_TESTS"] == "1" {
  let needed = ["ServerTests", "MQTTClientTests"]
  package.targets.removeAll {
    $0.type == .test && !needed.contains($0.name) || ["AppleFakes", "ProximityApp"].contains($0.name)
  }
}
