import AlarmEngine
import Foundation
import Testing

@testable import ProximityApp

/// The Xcode project, read as text: no machine without Xcode can build it.
@MainActor
@Suite("The Xcode project")
struct ProjectTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let folder = root.appendingPathComponent("iOS")

  private static func plist(_ path: String) throws -> [String: Any] {
    let data = try Data(contentsOf: folder.appendingPathComponent(path))
    let value = try PropertyListSerialization.propertyList(from: data, format: nil)
    return try #require(value as? [String: Any])
  }

  @MainActor private struct Project {
    let plist: [String: Any]
    let objects: [String: [String: Any]]
    init() throws {
      plist = try ProjectTests.plist("Proximity.xcodeproj/project.pbxproj")
      objects = try #require(plist["objects"] as? [String: [String: Any]])
    }
    func all(_ isa: String) -> [[String: Any]] { objects.values.filter { $0["isa"] as? String == isa } }
    func one(_ isa: String) throws -> [String: Any] {
      let found = all(isa)
      try #require(found.count == 1, "\(isa)")
      return found[0]
    }
  }

  @Test func `is of the kind that Xcode 16 and later open, and holds together`() throws {
    let project = try Project()
    #expect(project.plist["objectVersion"] as? String == "77")
    let root = try #require(project.plist["rootObject"] as? String)
    #expect(project.objects[root]?["isa"] as? String == "PBXProject")
    let names = Set(project.objects.keys)
    #expect(names.allSatisfy { $0.count == 24 && $0.allSatisfy { "0123456789ABCDEF".contains($0) } })
    // Every word in the form of an object's name is one, and every object is referred to.
    var named: Set<String> = [root]
    func walk(_ value: Any) {
      switch value {
      case let text as String: if text.count == 24, text.hasPrefix("B00000") { named.insert(text) }
      case let list as [Any]: for entry in list { walk(entry) }
      case let map as [String: Any]: for entry in map.values { walk(entry) }
      default: break
      }
    }
    for object in project.objects.values { walk(object) }
    #expect(named == names)
  }

  @Test func `builds all of the folder App, whatever files come and go, and the package beside it`() throws {
    let project = try Project()
    let synchronized = try project.one("PBXFileSystemSynchronizedRootGroup")
    let path = try #require(synchronized["path"] as? String)
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Self.folder.appendingPathComponent(path).path)
    #expect(files.contains("AppDelegate.swift"))
    #expect(files.contains("PrivacyInfo.xcprivacy"))
    // It would be copied next to the one that Xcode makes.
    #expect(!files.contains("Info.plist"))
    let package = try #require(try project.one("XCLocalSwiftPackageReference")["relativePath"] as? String)
    let manifest = Self.folder.appendingPathComponent(package).appendingPathComponent("Package.swift")
    let text = try String(contentsOf: manifest, encoding: .utf8)
    let products = project.all("XCSwiftPackageProductDependency").compactMap { $0["productName"] as? String }
    #expect(products.count == 5)
    for product in products { #expect(text.contains(".library(name: \"\(product)\""), "\(product)") }
  }

  @Test func `links every library of the package that the app imports`() throws {
    let products = Set(
      try Project().all("XCSwiftPackageProductDependency").compactMap { $0["productName"] as? String })
    let folder = Self.folder.appendingPathComponent("App")
    let own = ["AlarmEngine", "CoreLocationWatch", "Geometry", "PAD", "PhoneHost", "WebEngine"]
    var seen: Set<String> = []
    for case let file as String in try #require(FileManager.default.enumerator(atPath: folder.path))
    where file.hasSuffix(".swift") {
      seen.insert(file)
      let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      for module in own where text.contains("import \(module)\n") {
        #expect(products.contains(module), "\(file) imports \(module)")
      }
    }
    #expect(seen.isSuperset(of: ["AppDelegate.swift", "Reporting/Reports.swift"]), "folders, too")
  }

  @Test func `names files that are there, and one identity in all configurations`() throws {
    let project = try Project()
    let settings = project.all("XCBuildConfiguration").compactMap { $0["buildSettings"] as? [String: Any] }
      .filter { $0["INFOPLIST_FILE"] != nil }
    #expect(settings.count == 2)
    for settings in settings {
      #expect(settings["INFOPLIST_FILE"] as? String == "Info.plist")
      for key in Self.identity.keys { #expect(settings[key] == nil, "\(key) would hide Identity.xcconfig") }
      #expect(settings["IPHONEOS_DEPLOYMENT_TARGET"] as? String == "17.0")
      #expect(settings["SWIFT_VERSION"] as? String == "6.0")
      #expect(settings["GENERATE_INFOPLIST_FILE"] as? String == "NO")
      #expect(settings["DEVELOPMENT_TEAM"] == nil, "whoever builds signs")
    }
    let script = try #require(try project.one("PBXShellScriptBuildPhase")["shellScript"] as? String)
    #expect(script.contains("$SRCROOT/copy-page"))
    #expect(
      FileManager.default.isExecutableFile(atPath: Self.folder.appendingPathComponent("copy-page").path))
  }

  /// The settings of Identity.xcconfig, without a person's own file that can change them.
  private static let identity = [
    "PRODUCT_BUNDLE_IDENTIFIER": "app.proximity.alarm", "CODE_SIGN_ENTITLEMENTS": "Proximity.entitlements",
    "MARKETING_VERSION": "\(ProductVersion.text)", "CURRENT_PROJECT_VERSION": "1",
  ]

  @Test func `takes its identity from a file that a person's own one can change`() throws {
    let project = try Project()
    let text = try String(
      contentsOf: Self.folder.appendingPathComponent("Identity.xcconfig"), encoding: .utf8)
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("//") }.map(String.init)
    #expect(lines.last == "#include? \"Own.xcconfig\"", "the later setting of two holds")
    #expect(Set(lines.dropLast()) == Set(Self.identity.map { "\($0.key) = \($0.value)" }))
    #expect(
      FileManager.default.fileExists(
        atPath: Self.folder.appendingPathComponent("Proximity.entitlements").path))
    let targets = project.all("XCBuildConfiguration").filter { $0["baseConfigurationReference"] != nil }
    #expect(targets.count == 2)
    for target in targets {
      let file = try #require(target["baseConfigurationReference"] as? String)
      #expect(project.objects[file]?["path"] as? String == "Identity.xcconfig")
    }
  }

  @Test func `opens the files that the page reads, each of a declared type`() throws {
    let info = try Self.plist("Info.plist")
    let document = try #require((info["CFBundleDocumentTypes"] as? [[String: Any]])?.first)
    let types = try #require(document["LSItemContentTypes"] as? [String])
    let declared = ["UTExportedTypeDeclarations", "UTImportedTypeDeclarations"].flatMap {
      info[$0] as? [[String: Any]] ?? []
    }
    var endings: Set<String> = []
    for type in types where !type.hasPrefix("public.") {
      let declaration = try #require(declared.first { $0["UTTypeIdentifier"] as? String == type }, "\(type)")
      let tags = try #require(declaration["UTTypeTagSpecification"] as? [String: [String]])
      endings.formUnion(try #require(tags["public.filename-extension"]))
    }
    #expect(endings == ["gpx", "kml", "kmz", "pad", "zonepack"])
    #expect(info["LSSupportsOpeningDocumentsInPlace"] as? Bool == false, "they are copied into the app")
    #expect(info["ITSAppUsesNonExemptEncryption"] as? Bool == false)
  }

  @Test func `says why it asks for what it asks, and what it does in the background`() throws {
    let info = try Self.plist("Info.plist")
    for key in [
      "NSLocationWhenInUseUsageDescription", "NSLocationAlwaysAndWhenInUseUsageDescription",
      "NSMotionUsageDescription", "NSAlarmKitUsageDescription",
    ] {
      let text = try #require(info[key] as? String, "\(key)")
      #expect(text.count > 40 && text.hasSuffix("."), "\(key)")
    }
    let reasons = Set(info.keys.filter { $0.hasSuffix("UsageDescription") })
    for language in Translations.languages + ["en"] {
      let strings = try Self.plist("App/\(language).lproj/InfoPlist.strings")
      #expect(Set(strings.keys) == reasons, "\(language)")
      #expect(strings.values.allSatisfy { ($0 as? String)?.isEmpty == false }, "\(language)")
    }
    #expect(info["UIBackgroundModes"] as? [String] == ["audio", "fetch", "location"])
    #expect(info["BGTaskSchedulerPermittedIdentifiers"] as? [String] == [BackgroundWork.refresh])
    #expect(info["UIApplicationSceneManifest"] != nil, "required from iOS 27 on")
    let entitlements = try Self.plist("Proximity.entitlements")
    #expect(entitlements["com.apple.developer.usernotifications.time-sensitive"] as? Bool == true)
    let privacy = try Self.plist("App/PrivacyInfo.xcprivacy")
    #expect(privacy["NSPrivacyTracking"] as? Bool == false)
    #expect((privacy["NSPrivacyCollectedDataTypes"] as? [Any])?.isEmpty == true)
  }

  @Test func `has an icon as Apple wants it`() throws {
    let set = Self.folder.appendingPathComponent("App/Assets.xcassets/AppIcon.appiconset")
    let contents = try JSONSerialization.jsonObject(
      with: Data(contentsOf: set.appendingPathComponent("Contents.json")))
    let images = try #require((contents as? [String: Any])?["images"] as? [[String: String]])
    let icon = try Data(contentsOf: set.appendingPathComponent(try #require(images.first?["filename"])))
    #expect(icon[16..<24].elementsEqual([0, 0, 4, 0, 0, 0, 4, 0]), "1024 by 1024 pixels")
    #expect(icon[24] == 8 && icon[25] == 2, "no transparency")
    let settings = try Project().all("XCBuildConfiguration").compactMap {
      $0["buildSettings"] as? [String: Any]
    }
    #expect(settings.count { $0["ASSETCATALOG_COMPILER_APPICON_NAME"] as? String == "AppIcon" } == 2)
  }

  @Test func `says all of its own words in every language`() throws {
    let text = try String(
      contentsOf: Self.folder.appendingPathComponent("App/Words.swift"), encoding: .utf8)
    let said = text.matches(of: /said\(\s*"([^"]+)"/).map { String($0.1) }
    #expect(said.count > 30)
    #expect(Set(said) == Set(Translations.table.keys))
    for (english, words) in Translations.table {
      #expect(words.count == Translations.languages.count, "\(english)")
      for word in words { #expect(word.contains("{0}") == english.contains("{0}"), "\(word)") }
    }
  }
}
