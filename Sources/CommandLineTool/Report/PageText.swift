/// Styles and scripts of the pages that are written to files. The build puts their sources, which stand beside this file and in
/// `Simulation`, into the program.
enum PageText {
  static let reportStyle = String(decoding: PackageResources.report_css, as: UTF8.self)
  static let reportScript = String(decoding: PackageResources.report_js, as: UTF8.self)
  static let simulationStyle = String(decoding: PackageResources.simulation_css, as: UTF8.self)
  static let sceneScript = String(decoding: PackageResources.scene_js, as: UTF8.self)
}
