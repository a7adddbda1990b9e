import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// https://developer.apple.com/documentation/webkit/wkwebview
///
/// The fake draws nothing: a test loads a file through ``fetch(_:_:)`` and calls the application as the page's script
/// would, by ``post(_:to:)``.
public final class WKWebView: UIView {
  /// https://developer.apple.com/documentation/webkit/wkwebview/configuration
  public let configuration: WKWebViewConfiguration
  /// https://developer.apple.com/documentation/webkit/wkwebview/navigationdelegate
  public weak var navigationDelegate: (any WKNavigationDelegate)?
  /// https://developer.apple.com/documentation/webkit/wkwebview/isinspectable
  public var isInspectable = false
  /// https://developer.apple.com/documentation/webkit/wkwebview/url
  public private(set) var url: URL?
  /// The scripts that the application ran in the page.
  public private(set) var evaluated: [String] = []

  /// https://developer.apple.com/documentation/webkit/wkwebview/init(frame:configuration:)
  public init(frame: CGRect, configuration: WKWebViewConfiguration) {
    self.configuration = configuration
    super.init()
  }
  /// https://developer.apple.com/documentation/webkit/wkwebview/load(_:)
  @discardableResult
  public func load(_ request: URLRequest) -> WKNavigation? {
    url = request.url
    return nil
  }
  /// https://developer.apple.com/documentation/webkit/wkwebview/reload()
  @discardableResult
  public func reload() -> WKNavigation? { nil }
  /// https://developer.apple.com/documentation/webkit/wkwebview/evaluatejavascript(_:completionhandler:)
  public func evaluateJavaScript(
    _ script: String, completionHandler: (@MainActor @Sendable (Any?, (any Error)?) -> Void)? = nil
  ) {
    evaluated.append(script)
    completionHandler?(nil, nil)
  }

  /// Returns the application's answer to a request of the page for a URL of the application's own scheme.
  public func fetch(_ url: String, range: String? = nil) -> Fetched {
    guard let url = URL(string: url), let scheme = url.scheme,
      let handler = configuration.handlers[scheme]
    else { return Fetched() }
    var request = URLRequest(url: url)
    if let range { request.setValue(range, forHTTPHeaderField: "Range") }
    let task = FakeSchemeTask(request)
    handler.webView(self, start: task)
    return task.fetched
  }
  public struct Fetched {
    public var response: HTTPURLResponse?
    public var body = Data()
    public var isFinished = false
    public var error: (any Error)?
  }

  /// The page's script posts a message; the answer is what its promise is fulfilled or refused with.
  public func post(_ body: Any, to name: String) -> (answer: Any?, refusal: String?) {
    var result: (answer: Any?, refusal: String?) = (nil, "no handler")
    guard let handler = configuration.userContentController.handlers[name] else { return result }
    handler.userContentController(
      configuration.userContentController, didReceive: WKScriptMessage(name: name, body: body)
    ) { answer, refusal in result = (answer, refusal) }
    return result
  }
}

private final class FakeSchemeTask: WKURLSchemeTask {
  let request: URLRequest
  var fetched = WKWebView.Fetched()
  init(_ request: URLRequest) { self.request = request }
  func didReceive(_ response: URLResponse) { fetched.response = response as? HTTPURLResponse }
  func didReceive(_ data: Data) { fetched.body += data }
  func didFinish() { fetched.isFinished = true }
  func didFailWithError(_ error: any Error) { fetched.error = error }
}

/// https://developer.apple.com/documentation/webkit/wknavigation
@MainActor public final class WKNavigation {}

/// https://developer.apple.com/documentation/webkit/wknavigationaction
@MainActor
public final class WKNavigationAction {
  /// https://developer.apple.com/documentation/webkit/wknavigationaction/request
  public let request: URLRequest
  public init(request: URLRequest) { self.request = request }
}

/// https://developer.apple.com/documentation/webkit/wknavigationactionpolicy
public enum WKNavigationActionPolicy: Int, Sendable { case cancel, allow }

/// https://developer.apple.com/documentation/webkit/wknavigationdelegate
@MainActor
public protocol WKNavigationDelegate: AnyObject {
  /// https://developer.apple.com/documentation/webkit/wknavigationdelegate/webview(_:decidepolicyfor:decisionhandler:)
  func webView(
    _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction,
    decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy) -> Void)
  /// https://developer.apple.com/documentation/webkit/wknavigationdelegate/webviewwebcontentprocessdidterminate(_:)
  func webViewWebContentProcessDidTerminate(_ webView: WKWebView)
}
