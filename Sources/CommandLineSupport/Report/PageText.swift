/// The style of the pages that are written to files. The build embeds its source, which lies beside this
/// file, in the program.
package enum PageText {
  package static let reportStyle = String(decoding: PackageResources.report_css, as: UTF8.self)
}
