// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that users of the libraries do not get the settings and dependencies of the fuzzer.
let package = Package(
  name: "fuzz",
  dependencies: [.package(name: "proximity-alarm", path: "..", traits: [])],
  targets: [
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        .product(name: "AlarmEngine", package: "proximity-alarm"),
        .product(name: "Formats", package: "proximity-alarm"),
        .product(name: "Geometry", package: "proximity-alarm"),
        .product(name: "PAD", package: "proximity-alarm"),
        .product(name: "PhoneHost", package: "proximity-alarm"),
        .product(name: "StreetMap", package: "proximity-alarm"),
        .product(name: "WebEngine", package: "proximity-alarm"),
      ],
      swiftSettings: [.unsafeFlags(["-parse-as-library"])])
  ]
)
