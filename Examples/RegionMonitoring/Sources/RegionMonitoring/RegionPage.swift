#if !canImport(CoreLocation)
  import AlarmEngine
  import Foundation
  import Geometry
  import PhoneSimulator

  /// A self-contained HTML page: a map of the journey and its fences, and a timeline of the crossings.
  struct RegionPage {
    private let run: RegionRun
    private let overlays: [FenceOverlay]
    private let frame: Frame

    init(_ run: RegionRun) {
      self.run = run
      overlays = run.fences.map(FenceOverlay.init)
      frame = Frame(run)
    }

    var html: String {
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <title>Region monitoring</title>
      <style>
      \(Self.style)
      </style>
      </head>
      <body>
      <h1>Region monitoring</h1>
      \(summary)
      \(map)
      <h2>In time</h2>
      \(timeline)
      <h2>What the phone told</h2>
      \(table)
      </body>
      </html>

      """
    }

    // MARK: Parts

    private var summary: String {
      let words: String
      switch run.problem {
      case .unavailable: words = "This phone cannot monitor regions: nothing is watched."
      case .needsAlways:
        words = "Nothing is watched: regions need permission to use the location always."
      case .needsPrecise: words = "Nothing is watched: regions need precise positions."
      case nil:
        let refused = run.events.count { $0.kind == .refused }
        words =
          "\(run.fences.count - refused) fences watched, \(run.crossings.count) crossings told"
          + (refused == 0 ? "" : ", \(refused) fences refused")
          + ". The application was started anew for \(run.launches) of them; all took \(Int(run.joules.rounded())) J."
      }
      let kind = run.problem == nil ? "" : " class=\"problem\""
      return
        "<p\(kind)>\(words) <small>Simulated phone, \(escaped(run.system)), seed \(run.seed).</small></p>"
    }

    private var map: String {
      var lines = [
        """
        <figure><div class="map" style="aspect-ratio:\(frame.width)/\(frame.height)">
        <svg viewBox="0 0 \(frame.width) \(frame.height)" role="img" aria-label="Fences and way">
        """
      ]
      for overlay in overlays.sorted(by: { $0.fence.radius > $1.fence.radius }) {
        let (x, y) = frame.point(overlay.fence.latitude, overlay.fence.longitude)
        lines.append(
          """
          <circle class="fence" data-fence="\(escaped(overlay.fence.id))" cx="\(short(x))" cy="\(short(y))" \
          r="\(short(overlay.fence.radius * frame.scale))" stroke="\(overlay.stroke)" fill="\(overlay.fill)" \
          stroke-width="\(short(overlay.lineWidth))"/>
          """)
      }
      let way = frame.way.map { "\(short($0.x)),\(short($0.y))" }.joined(separator: " ")
      lines.append("<polyline class=\"way\" points=\"\(way)\"/>")
      lines.append("</svg>")
      for crossing in run.crossings {
        let (x, y) = frame.point(
          crossing.position.latitude.degrees, crossing.position.longitude.degrees)
        let kind = crossing.event.kind == .entered ? "entered" : "exited"
        lines.append(
          "<i class=\"\(kind)\" style=\"left:\(short(100 * x / frame.width))%;top:\(short(100 * y / frame.height))%\"></i>"
        )
      }
      for overlay in overlays {
        let (x, y) = frame.point(overlay.fence.latitude, overlay.fence.longitude)
        let below = y + overlay.fence.radius * frame.scale
        lines.append(
          "<b style=\"left:\(short(100 * x / frame.width))%;top:\(short(100 * below / frame.height))%\">\(escaped(overlay.fence.title))</b>"
        )
      }
      lines.append(
        """
        </div><figcaption><i class="entered"></i> entry told here <i class="exited"></i> exit told here; \
        the line is the true way</figcaption></figure>
        """)
      return lines.joined(separator: "\n")
    }

    private var timeline: String {
      let span = (run.journey.end - run.journey.start).seconds
      func share(_ time: Instant) -> String { short(100 * (time - run.journey.start).seconds / span) }
      var lines = ["<div class=\"times\">"]
      for (fence, stays) in zip(run.fences, run.stays) {
        lines.append("<span>\(escaped(fence.title))</span><div class=\"track\">")
        for stay in stays {
          let width = short(100 * (stay.upperBound - stay.lowerBound).seconds / span)
          lines.append("<u style=\"left:\(share(stay.lowerBound))%;width:\(width)%\"></u>")
        }
        for crossing in run.crossings where crossing.event.fence == fence.id {
          let kind = crossing.event.kind == .entered ? "entered" : "exited"
          let time = Instant(
            millisecondsSince1970: Int64((crossing.event.date.timeIntervalSince1970 * 1000).rounded()))
          lines.append("<i class=\"\(kind)\" style=\"left:\(share(time))%\"></i>")
        }
        lines.append("</div>")
      }
      lines.append("<span></span><div class=\"axis\">")
      var hour = run.journey.start
      while hour <= run.journey.end {
        lines.append("<em style=\"left:\(share(hour))%\">\(clock(hour).prefix(5))</em>")
        hour = hour + .hours(2)
      }
      lines.append("</div></div><p><small>Bars: truly inside. Marks: told. Times are UTC.</small></p>")
      return lines.joined(separator: "\n")
    }

    private var table: String {
      var lines = ["<table><tr><th>Time</th><th>Fence</th><th>Told</th><th>After</th></tr>"]
      for crossing in run.crossings {
        let title = run.fences.first { $0.id == crossing.event.fence }?.title ?? crossing.event.fence
        let time = Instant(
          millisecondsSince1970: Int64((crossing.event.date.timeIntervalSince1970 * 1000).rounded()))
        let delay = crossing.delay.map { "\(Int($0.rounded())) s" } ?? "never crossed"
        lines.append(
          """
          <tr><td>\(clock(time))</td><td>\(escaped(title))</td>\
          <td>\(crossing.event.kind == .entered ? "entry" : "exit")</td><td>\(delay)</td></tr>
          """)
      }
      return lines.joined(separator: "\n") + "\n</table>"
    }

    // MARK: Words and numbers

    private func clock(_ time: Instant) -> String {
      let seconds = time.millisecondsSince1970 / 1000 % 86_400
      func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
      return "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }

    private func short(_ number: Double) -> String { String(format: "%.2f", number) }

    private func escaped(_ text: String) -> String {
      text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
        .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")
    }

    private static let style = """
      :root { color-scheme: light dark; --ink: #1b1f24; --soft: #5a6470; --ground: #f4f1ea; --card: #fff; --way: #39424e;
        --entered: #0b6e4f; --exited: #b3261e; --stay: #f0a04b }
      @media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --soft: #a2abb6; --ground: #15181c; --card: #20252b;
        --way: #c7ced6; --entered: #52d3a2; --exited: #ff8a80; --stay: #b8701d } }
      * { box-sizing: border-box }
      body { margin: 0 auto; max-width: 60rem; padding: 1rem; background: var(--ground); color: var(--ink);
        font: 1rem/1.45 system-ui, sans-serif }
      h1 { font-size: 1.4rem; margin: 0 } h2 { font-size: 1.05rem; margin: 1.4rem 0 .5rem }
      small, figcaption, em { color: var(--soft); font-size: .8rem; font-style: normal }
      .problem { border-left: .3rem solid var(--exited); padding-left: .7rem; font-weight: 600 }
      figure { margin: 0 } figcaption i { position: static !important; display: inline-block; transform: none !important }
      .map { position: relative; background: var(--card); border-radius: .6rem; overflow: hidden }
      svg { display: block; width: 100%; height: 100% }
      .fence { fill-opacity: .35; vector-effect: non-scaling-stroke }
      @media (prefers-color-scheme: dark) { .fence { stroke: #8ab4ff } }
      .way { fill: none; stroke: var(--way); stroke-width: 1.5; stroke-dasharray: 5 4; vector-effect: non-scaling-stroke }
      .map i, .map b, .track i, .track u, .axis em { position: absolute }
      .map b { transform: translate(-50%, 2px); font-size: .75rem; white-space: nowrap; text-shadow: 0 0 3px var(--card),
        0 0 3px var(--card), 0 0 3px var(--card) }
      i { width: .7rem; height: .7rem; transform: translate(-50%, -50%) }
      i.entered { background: var(--entered); border-radius: 50% } i.exited { border: .18rem solid var(--exited) }
      @media (max-width: 40rem) { .map i { width: .5rem; height: .5rem } .map b { font-size: .65rem } }
      .times { display: grid; grid-template-columns: max-content 1fr; gap: .35rem .8rem; align-items: center;
        padding-right: 1.4rem }
      .times span { font-size: .85rem }
      .track { position: relative; height: 1.5rem; background: var(--card); border-radius: .3rem }
      .track u { top: .25rem; bottom: .25rem; background: var(--stay); border-radius: .2rem; min-width: 2px }
      .track i { top: 50% }
      .axis { position: relative; height: 1.2rem } .axis em { transform: translateX(-50%) }
      table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
      th, td { text-align: left; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid color-mix(in srgb, var(--soft) 30%, transparent) }
      th { color: var(--soft); font-weight: 500 } td:last-child, th:last-child { text-align: right; padding-right: 0 }
      """
  }

  extension RegionPage {
    /// Maps degrees to points of the drawing, with the same scale in both directions. Accurate enough over a
    /// few kilometres.
    fileprivate struct Frame {
      let width = 800.0
      let height: Double
      let scale: Double
      private(set) var way: [(x: Double, y: Double)] = []
      private let west: Double
      private let north: Double
      private let metresEast: Double
      private static let metresNorth = 111_195.0
      private static let border = 60.0

      init(_ run: RegionRun) {
        let track = RegionRun.samples(of: run.journey)
        let metresEast =
          Self.metresNorth
          * max(0.01, Trigonometry.cosine((track.first?.latitude ?? Angle.degrees(0)).radians))
        self.metresEast = metresEast
        var (west, east) = (Double.infinity, -Double.infinity)
        var (south, north) = (Double.infinity, -Double.infinity)
        func include(_ latitude: Double, _ longitude: Double, _ metres: Double) {
          west = min(west, longitude * metresEast - metres)
          east = max(east, longitude * metresEast + metres)
          south = min(south, latitude * Self.metresNorth - metres)
          north = max(north, latitude * Self.metresNorth + metres)
        }
        for place in track { include(place.latitude.degrees, place.longitude.degrees, 0) }
        for fence in run.fences { include(fence.latitude, fence.longitude, fence.radius) }
        scale = (width - 2 * Self.border) / max(1, east - west)
        height = min(1200, max(300, (north - south) * scale + 2 * Self.border)).rounded()
        self.west = west - Self.border / scale
        self.north = north + Self.border / scale
        way = track.map { point($0.latitude.degrees, $0.longitude.degrees) }
      }

      func point(_ latitude: Double, _ longitude: Double) -> (x: Double, y: Double) {
        ((longitude * metresEast - west) * scale, (north - latitude * Self.metresNorth) * scale)
      }
    }
  }

  extension RegionRun {
    /// Returns the journey's position every 30 seconds, without repetitions while it stands still.
    static func samples(of journey: Journey) -> [Coordinate] {
      var places: [Coordinate] = []
      var time = journey.start
      while time <= journey.end {
        let here = journey.position(at: time)
        if here != places.last { places.append(here) }
        time = time + .seconds(30)
      }
      return places
    }
  }
#endif
