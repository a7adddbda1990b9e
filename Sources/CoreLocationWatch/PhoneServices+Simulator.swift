#if !canImport(CoreLocation)
  import AlarmEngine
  import PhoneHost
  import PhoneSimulator

  extension PhoneServices {
    private static let silence = "silence"

    /// Creates the services of an application on the simulated phone.
    public init(_ environment: ApplicationEnvironment, keep: @escaping (PhoneCommand) -> Void) {
      var task: Int?
      self.init(
        now: { environment.now },
        uptime: { environment.uptime },
        after: { span, action in
          let timer = environment.after(span, action)
          return { timer.cancel() }
        },
        hasMotion: true,
        watchMotion: { handler in
          guard let handler else { return environment.watchMotion(nil) }
          environment.watchMotion { handler(Motion($0), environment.motionSince) }
        },
        holdBackground: { if task == nil { task = environment.beginBackgroundTask() } },
        releaseBackground: {
          if let held = task { environment.endBackgroundTask(held) }
          task = nil
        },
        warnIfSilent: { time in
          guard let time else { return environment.cancelAlert(id: Self.silence) }
          environment.planAlert(
            id: Self.silence, after: max(time - environment.now, .zero), title: "asleep")
        },
        keep: keep,
        hasWifi: { environment.hasWifi }, battery: { environment.battery },
        batteryLevel: { BatteryLevel(share: environment.batteryShare, isCharging: false) })
    }
  }

  extension Phone {
    /// Installs an application that only watches, opens it and leaves it, as its user does.
    ///
    /// - Parameter record: keeps the timeline between launches, and the alarms.
    public func watch(
      as host: Capabilities.Host = .suspended, keeping record: TrialRecord,
      _ policy: @escaping () -> any WatchDecisions
    ) {
      install { launch in WatchApplication(launch, host: host, record: record, policy: policy()) }
      openApplication()
      leaveApplication()
    }
  }

  /// An application that only watches. Its user acknowledges every alarm until the phone leaves the zone.
  private final class WatchApplication: PhoneApplication {
    private let watch: LocationWatch
    private let record: TrialRecord

    init(_ launch: Launch, host: Capabilities.Host, record: TrialRecord, policy: any WatchDecisions) {
      let environment = launch.environment
      self.record = record
      watch = LocationWatch(
        host: record.host(AnyWatch(WitnessedWatch(policy, record: record)), requests: .collected),
        services: PhoneServices(environment, keep: record.keep), as: host)
      watch.onEvents = { [unowned watch] events in
        for alarm in record.note(events, at: environment.now) {
          environment.alert("alarm")
          environment.after(TrialRecord.reaction) { [weak watch] in watch?.perform(.acknowledgeInside(alarm))
          }
        }
      }
      watch.onWarning = { environment.alert($0.title) }
      record.shown = { [weak watch] now in
        watch.map { $0.host.policy.guarantees(zones: $0.timeline.surroundings(at: now)) }
      }
      record.edit = { [weak watch] in watch?.watch($0, .phone) }
      record.conditionsChanged = { [weak watch] in watch?.conditionsChanged() }
      watch.start(launch.isInBackground ? .relaunch : .person)
    }

    deinit {
      record.timeline = watch.timeline
      let (policy, timeline) = (watch.host.policy, watch.timeline)
      record.shown = { policy.guarantees(zones: timeline.surroundings(at: $0)) }
    }

    func didEnterForeground() { watch.cameToForeground() }
    func didEnterBackground() { watch.wentToBackground() }
    func willTerminate() { watch.willTerminate() }
  }
#endif
