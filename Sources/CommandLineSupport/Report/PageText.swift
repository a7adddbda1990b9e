/// The style of the pages that are written to files. The build puts its source, which stands beside this file, into the program.
package enum PageText {
  package static let reportStyle = String(decoding: PackageResources.report_css, as: UTF8.self)
}
