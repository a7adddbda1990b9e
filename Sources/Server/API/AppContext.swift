import Hummingbird
import Logging
import NIOCore

/// Hummingbird's context of a request.
struct AppContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The peer's address; nil without a network, as in tests.
  let peer: String?

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    peer = source.channel.remoteAddress?.ipAddress
  }
}
