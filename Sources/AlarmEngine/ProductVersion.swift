/// The version of the whole product: engine, server and command line are built together and share it.
///
/// `Web/scripts/version.js` has the same number for the page, which a browser may keep longer than the server does.
public enum ProductVersion {
  public static let text: Text = "0.2.0"
}
