import CommandLineSupport

extension PageText {
  static let reportScript = String(decoding: PackageResources.report_js, as: UTF8.self)
}
