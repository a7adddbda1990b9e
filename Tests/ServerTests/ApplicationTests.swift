import HummingbirdTesting
import Testing

@testable import Server
