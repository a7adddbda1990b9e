import AlarmEngine
import Formats
import Store

/// What was acknowledged and could not be read then.
extension PhoneRoutes {
  /// Reads what came encrypted before the device had its key, as far as it is kept: its positions are stored and judged as
  /// any that come late. To do it again changes nothing.
  static func readKept(of device: Device, _ parts: ServerParts) async throws {
    let endpoints = [PhoneEndpoint.owntracks, .logOwnTracks]
    var merged = DeviceReport(device: device.id, fixes: [], isHeard: false)
    for kept in try await parts.store.rawBodies(of: device.id, limit: RawBody.keptForDevice) {
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
    if merged.isHeard { try await parts.ingest.submit(.report(merged)) }
  }
}
