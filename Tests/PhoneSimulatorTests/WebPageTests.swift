import AlarmEngine
import Geometry
import PhoneSimulator
import Testing

@Suite("Web pages")
struct WebPageTests {
  private final class Page: PhoneApplication {
    let environment: ApplicationEnvironment
    init(_ launch: Launch) { environment = launch.environment }
  }

  private func page(
    _ journey: Journey = Scene.straight(stand: 1, speed: 2, metres: 8000),
    _ parameters: PhoneParameters = .faultless
  ) -> (phone: Phone, page: () -> ApplicationEnvironment?) {
    let phone = Phone(journey: journey, system: .webPage, parameters: parameters, seed: 1)
    weak var page: Page?
    phone.install { launch in
      let made = Page(launch)
      page = made
      return made
    }
    phone.openApplication()
    return (phone, { page?.environment })
  }

  @Test func `asked for while hidden, a position waits until the page is visible`() {
    let (phone, page) = page()
    phone.run(until: Scene.start + .seconds(10))
    phone.leaveApplication()
    var watched: [Double] = []
    var single: [Double] = []
    let watch = page()?.watchPosition(PositionOptions(enableHighAccuracy: true)) { result in
      if case .success = result { watched.append((phone.now - Scene.start).seconds) }
    }
    page()?.currentPosition { _ in single.append((phone.now - Scene.start).seconds) }
    phone.run(until: Scene.start + .seconds(600))
    #expect(watched.isEmpty && single.isEmpty)
    phone.openApplication()
    phone.run(until: Scene.start + .seconds(700))
    #expect(watched.count > 20 && single.count == 1)
    watch?.cancel()
  }

  @Test func `an old position will do only if the page says so`() {
    let (phone, page) = page()
    func ask(_ maximumAge: Int) -> (age: Double, wait: Double)? {
      var answer: (age: Double, wait: Double)?
      let asked = phone.now
      page()?.currentPosition(PositionOptions(maximumAge: maximumAge)) { result in
        if case .success(let fix) = result {
          answer = ((phone.now - fix.measuredAt).seconds, (phone.now - asked).seconds)
        }
      }
      phone.run(until: phone.now + .seconds(15))
      return answer
    }
    #expect(ask(0)?.age == 0)
    let cached = ask(60_000)
    #expect(cached.map { $0.age > 5 && $0.wait == 0 } ?? false)
    #expect(ask(1000)?.age == 0)
    #expect(ask(0)?.age == 0)
  }

  @Test func `a watch that gets nothing in its time says so`() {
    let (phone, page) = page()
    phone.conditions = {
      var none = Phone.Conditions()
      none.wifi = false
      none.network = false
      none.satellites = false
      return none
    }()
    var errors: [GeolocationError] = []
    let watch = page()?.watchPosition(PositionOptions(timeout: 5000)) { result in
      if case .failure(let error) = result { errors.append(error) }
    }
    phone.run(until: Scene.start + .seconds(60))
    #expect(errors.contains(.timeout) && errors.count { $0 == .timeout } == 1)
    watch?.cancel()
  }

  @Test(arguments: [0.0, 1])
  func `a hidden page sleeps in Safari, and keeps seldom timers in Chrome`(_ keeps: Double) {
    let (phone, page) = page(
      Scene.still(hours: 1), .faultless.with { $0.hiddenPageKeepsTimers = keeps })
    var ticks: [Double] = []
    func tick() {
      page()?.after(.milliseconds(250)) {
        ticks.append((phone.now - Scene.start).seconds)
        tick()
      }
    }
    phone.leaveApplication()
    tick()
    phone.run(until: Scene.start + .seconds(1200))
    if keeps == 0 {
      #expect(ticks.allSatisfy { $0 <= 3.1 })
    } else {
      let first = ticks.filter { $0 <= 300 }
      #expect((290...301).contains(first.count))
      let later = ticks.filter { $0 > 300 }
      #expect((13...16).contains(later.count))
      #expect(zip(later, later.dropFirst()).allSatisfy { abs($1 - $0 - 60) < 0.01 })
    }
  }

  @Test func `a page may be told accuracies of 95 %`() {
    func accuracy(_ factor: Double) -> Fix.Accuracy? {
      let (phone, page) = page(
        Scene.still(hours: 1), .faultless.with { $0.pageAccuracyFactor = factor })
      var found: Fix.Accuracy?
      page()?.currentPosition { if case .success(let fix) = $0 { found = fix.accuracy } }
      phone.run(until: Scene.start + .seconds(30))
      return found
    }
    #expect(accuracy(1) == .radius(.metres(65)))
    #expect(accuracy(2) == .radius(.metres(130)))
  }
}
