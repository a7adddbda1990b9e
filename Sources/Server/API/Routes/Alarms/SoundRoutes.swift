import AlarmEngine
import AlarmService
import Formats
import Foundation
import HTTPTypes
import Hummingbird
import Store

/// A person's own sounds (S105-S111).
enum SoundRoutes {
  static let types = [
    "audio/mpeg", "audio/ogg", "audio/wav", "audio/x-wav", "audio/mp4", "audio/aac", "audio/webm",
  ]
  private static let sound = Schema.object([
    .needed("id", .id, ""), .needed("name", .text(1...100), "Exact name, case-sensitive, without extension."),
    .needed("about", .text(0...500), ""), .needed("media_type", .words(types), ""),
    .needed("size_bytes", .integer(0...Int64(ServerSettings.maximumSoundBytes)), ""),
    .needed("saved_at", .time, ""),
  ])
  static let maximumSounds = 200

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/sounds", name: "listSounds", summary: "Lists the account's own sounds",
      handler: .account { call, signed in
        let sounds = try await call.store.sounds(of: signed.account)
        return .items(sounds.map(json))
      }, answers: [.json(.items(sound, upTo: 10_000), "Sounds, by name.")]),
    Route(
      method: .get, path: "/api/v1/sounds/{sound}", name: "getSound",
      summary: "Returns the bytes of a sound, by its name",
      handler: .account { call, signed in
        let found = try await find(call, signed)
        guard let found else { throw Problem.notFound }
        let (sound, bytes) = try await call.store.sound(found.id, of: signed.account)
        var response = Response.bytes(bytes, type: sound.mediaType)
        response.headers[.eTag] = EntityTag.text(revision: sound.savedAt.millisecondsSince1970)
        response.headers[.cacheControl] = "private, no-cache"
        return response
      }, answers: [.media(types, "The sound.", hasETag: true)]),
    Route(
      method: .put, path: "/api/v1/sounds/{sound}", name: "putSound",
      summary: "Saves a sound under its name; the body is the file", handler: .account(put),
      query: [.init(name: "about", schema: .text(0...500), meaning: "A description.")],
      body: .bytes(types, maximum: ServerSettings.maximumSoundBytes),
      answers: [.json(sound, "Saved.")]),
    Route(
      method: .delete, path: "/api/v1/sounds/{sound}", name: "deleteSound", summary: "Deletes a sound",
      handler: .account { call, signed in
        guard let found = try await find(call, signed) else { throw Problem.notFound }
        try await call.store.deleteSound(found.id, of: signed.account, at: call.now)
        call.parts.core.hub.publish(signed.account)
        return .nothing
      }, answers: [.nothing("Deleted; zones that name it use the default sound.")]),
  ]

  private static func name(_ call: Call) throws(Problem) -> String {
    let given = try call.text("sound")
    guard let name = given.removingPercentEncoding, (1...100).contains(name.unicodeScalars.count),
      name.unicodeScalars.allSatisfy({ $0.value >= 32 && $0 != "/" })
    else { throw Problem.notFound }
    return name
  }

  private static func find(_ call: Call, _ signed: Signed) async throws -> Sound? {
    let name = try name(call)
    return try await call.store.sounds(of: signed.account).first { $0.name == name }
  }

  private static func put(_ call: Call, _ signed: Signed) async throws -> Response {
    let sounds = try await call.store.sounds(of: signed.account)
    let name = try name(call)
    let former = sounds.first { $0.name == name }
    guard former != nil || sounds.count < maximumSounds else {
      throw StoreError.tooMany(allowed: maximumSounds)
    }
    guard !call.bytes.isEmpty else {
      throw Problem.invalid("", "nothing found, the bytes of a sound allowed")
    }
    let type = (call.request.headers[.contentType] ?? "").prefix { $0 != ";" }.lowercased().filter {
      $0 != " "
    }
    let sound = Sound(
      id: former?.id ?? .random(), account: signed.account, name: name,
      about: call.query["about"]?.string ?? former?.about ?? "", mediaType: type, size: call.bytes.count,
      savedAt: call.now)
    try await call.store.save(sound, bytes: call.bytes)
    call.parts.core.hub.publish(signed.account)
    return .json(json(sound))
  }

  private static func json(_ sound: Sound) -> JSONValue {
    .object([
      ("id", .string(sound.id.description)), ("name", .string(sound.name)), ("about", .string(sound.about)),
      ("media_type", .string(sound.mediaType)), ("size_bytes", .integer(Int64(sound.size))),
      ("saved_at", sound.savedAt.json),
    ])
  }
}
