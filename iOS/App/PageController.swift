import Foundation

#if canImport(UIKit)
  import UIKit
  import WebKit
#else
  import AppleTwins
  import FoundationNetworking
#endif

/// The page, full size. It is loaded when it is first looked at, from the app's own files.
public final class PageController: UIViewController {
  static let scheme = "proximity"
  static let start = URL(string: "proximity://app/index.html")!

  private let files: PageFiles
  private let bridge: PageBridge
  public private(set) var web: WKWebView?

  init(files: PageFiles, bridge: PageBridge) {
    self.files = files
    self.bridge = bridge
    #if canImport(UIKit)
      super.init(nibName: nil, bundle: nil)
    #else
      super.init()
    #endif
  }

  #if canImport(UIKit)
    required init?(coder: NSCoder) { preconditionFailure("the page is made in code") }
  #endif

  public override func loadView() {
    let configuration = WKWebViewConfiguration()
    configuration.setURLSchemeHandler(files, forURLScheme: Self.scheme)
    let scripts = configuration.userContentController
    scripts.addUserScript(
      WKUserScript(source: PageBridge.script, injectionTime: .atDocumentStart, forMainFrameOnly: true))
    scripts.addScriptMessageHandler(bridge, contentWorld: .page, name: PageBridge.name)
    let web = WKWebView(frame: .zero, configuration: configuration)
    web.navigationDelegate = self
    self.web = web
    view = web
  }

  public override func viewDidLoad() { web?.load(URLRequest(url: Self.start)) }

  /// What the page is told of; it then asks for what is new.
  enum News: String { case onchange, onpermissions, onfile }
  func tell(_ news: News) {
    web?.evaluateJavaScript("globalThis.proximityPhone?.\(news.rawValue)?.()", completionHandler: nil)
  }
}

extension PageController {
  /// Lets the person choose where a file of the page's goes; the page is told whether it went anywhere.
  func share(_ bytes: Data, named name: String) {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent(UUID().uuidString, isDirectory: true)
    // A name, not a path.
    let last = (name as NSString).lastPathComponent
    let file = folder.appendingPathComponent(
      last.hasPrefix(".") || last == "/" || last.isEmpty ? "file" : last)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try bytes.write(to: file)
    } catch { return tellSaved(false) }
    let sheet = UIActivityViewController(activityItems: [file], applicationActivities: nil)
    sheet.popoverPresentationController?.sourceView = view
    sheet.completionWithItemsHandler = { [weak self] _, isDone, _, _ in
      try? FileManager.default.removeItem(at: folder)
      self?.tellSaved(isDone)
    }
    present(sheet, animated: true)
  }

  private func tellSaved(_ isSaved: Bool) {
    web?.evaluateJavaScript("globalThis.proximityPhone?.onsaved?.(\(isSaved))", completionHandler: nil)
  }
}

extension PageController: WKNavigationDelegate {
  /// The page stays the page: every other address is opened outside.
  public func webView(
    _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction,
    decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy) -> Void
  ) {
    guard let url = navigationAction.request.url, url.scheme != Self.scheme else {
      return decisionHandler(.allow)
    }
    decisionHandler(.cancel)
    UIApplication.shared.open(url, options: [:], completionHandler: nil)
  }

  /// The system took the page's memory: it is loaded anew, and finds all it needs in the engine and its own storage.
  public func webViewWebContentProcessDidTerminate(_ webView: WKWebView) {
    webView.load(URLRequest(url: Self.start))
  }
}
