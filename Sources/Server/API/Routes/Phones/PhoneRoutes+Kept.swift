import AlarmEngine
import AlarmService
import Delivery
import Formats
import Store

/// Reads messages that were acknowledged but could not be read when they came.
extension PhoneRoutes {
  /// Reads the kept messages that were encrypted before the device had its key. Their positions are stored
  /// and judged like others that come late. Repeating the call changes nothing.
  static func readKept(of device: Device, _ store: SQLStore, _ ingest: Ingest) async throws {
    let endpoints = [PhoneEndpoint.owntracks, .logOwnTracks]
    var merged = DeviceReport(device: device.id, fixes: [], isHeard: false)
    for kept in try await store.rawBodies(of: device.id, limit: RawBody.keptForDevice) {
      guard let endpoint = endpoints.first(where: { $0.rawValue == kept.source }),
        kept.body.count == kept.size
      else { continue }
      let request = PhoneRequest(endpoint: endpoint, body: kept.body, receivedAt: kept.receivedAt)
      for case .sealed(let box) in PhoneReport.read(request).messages {
        guard let inside = opened([box], request, device.passphrase) else { continue }
        let taken = deviceReport(inside, request, device.id, secret: nil)
        merged.fixes += taken.fixes
        merged.told += taken.told
        merged.isHeard = true
      }
    }
    if merged.isHeard { try await ingest.submit(.report(merged)) }
  }
}
