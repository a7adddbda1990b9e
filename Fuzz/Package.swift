// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that what fuzzing needs is nothing to those who depend on the libraries.
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
