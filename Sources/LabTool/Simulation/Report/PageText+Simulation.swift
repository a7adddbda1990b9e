import CommandLineSupport

extension PageText {
  static let simulationStyle = String(decoding: PackageResources.simulation_css, as: UTF8.self)
  static let sceneScript = String(decoding: PackageResources.scene_js, as: UTF8.self)
}
