extension Metrics {
  /// The help text of each metric, for `# HELP`.
  package static let help: [String: String] = [
    "proximity_accept_failures_total":
      "Times that no further connection was accepted, by the limit of open files.",
    "proximity_accounts": "Accounts.",
    "proximity_alarms_held_back_total":
      "Alarms beyond 20 a minute of one zone and device: told by their repeats only.",
    "proximity_alarms_nobody_reached_total":
      "Alarms that every channel refused for good, so that nobody was told.",
    "proximity_clock_difference_seconds":
      "How far this machine's clock is ahead of the database's, by which all processes go.",
    "proximity_clock_jumps_total":
      "How often the system's clock was set, by direction; ahead: or slept.",
    "proximity_commits_total": "Transactions that made fixes, engines and alarms durable.",
    "proximity_database_connections_free":
      "Connections to the database that are there for the next call, by what they are for.",
    "proximity_database_connections_lost_total": "Connections to the database that were lost.",
    "proximity_deliveries_total":
      "Attempts to bring something to a channel, by kind of channel and what came of it.",
    "proximity_delivery_seconds":
      "From when something was to be told until a channel took it, retries included.",
    "proximity_devices": "Devices, those that nobody has claimed included.",
    "proximity_disk_free_bytes": "Free on the disk that holds the data.",
    "proximity_engine_conflicts_total":
      "Transactions that were decided again, since another process had changed one of their devices.",
    "proximity_engine_loads_total": "Engines of devices that were made again from the store.",
    "proximity_event_streams": "Open event streams.",
    "proximity_fixes_total": "Fixes that were taken.",
    "proximity_ingest_commit_seconds": "How long one transaction of fixes took.",
    "proximity_ingest_failures_total":
      "Transactions of fixes that the store refused; the phones send them again.",
    "proximity_ingest_refused_total": "Posts that were put off because more arrives than can be written.",
    "proximity_late_left_out_total": "Late fixes that are kept but no alarm was judged by any more.",
    "proximity_late_rebuilds_total": "Times that a late fix made an engine judge the past anew.",
    "proximity_news_seconds":
      "From a commit until its note came back from the database, as it comes to the other processes.",
    "proximity_mqtt_connected": "1 where this process has the connection to the MQTT broker, else 0.",
    "proximity_mqtt_received_total": "Messages of phones on the MQTT broker that were stored.",
    "proximity_mqtt_refused_total": "Messages of phones on the MQTT broker that were not taken, by reason.",
    "proximity_mqtt_retained": "Retained messages about phones and zones that stand on the MQTT broker.",
    "proximity_mqtt_states_total": "Retained messages about phones and zones that were published or removed.",
    "proximity_open_alarms": "Alarms that have not ended.",
    "proximity_outbox": "Messages that wait for a channel or are on their way.",
    "proximity_outbox_overdue_seconds": "How long the longest overdue message has been waiting.",
    "proximity_phone_clock_changes_total":
      "Times that a phone's clock was found wrong, or wrong by another amount than before.",
    "proximity_caddy_serves": "1 while the Caddy that --domain starts accepts connections, else 0.",
    "proximity_ready": "1 where the process can take positions, as /readyz says, else 0.",
    "proximity_request_seconds": "From a request to its answer, by route.",
    "proximity_requests_total": "Requests, by route, method and status.",
    "proximity_store_bytes": "Size of the database file.",
    "proximity_store_checked_at_seconds": "When the file was last read for damage, in seconds since 1970.",
    "proximity_store_damaged": "1 where the last check found damage in the file, else 0.",
    "proximity_store_log_bytes": "Size of the database's write-ahead log.",
    "proximity_timer_lag_seconds":
      "How late what was due was looked at last, or for how long nothing was looked at that should have been.",
    "proximity_unclaimed_devices": "Devices that nobody has claimed.",
    "proximity_zone_sets_made_total": "Times that an account's zones were made ready for judging.",
    "proximity_zones": "Zones of all accounts.",
  ]
}
