// Positions and alarms of a phone that reports to the server.

/** The most positions of a day; a phone that reports every second stays below. */
const most = 100_000;

/**
 * The positions measured in [from, to), in ms, by time, in the form for `rows`.
 * @param {import('../../scripts/server/server.js').Server} server
 */
export async function reportedFixes(server, device, from, to) {
  const fixes = [];
  const until = new Date(to).toISOString();
  for (let next = new Date(from).toISOString(); next && fixes.length < most;) {
    const range = `from=${encodeURIComponent(next)}&to=${encodeURIComponent(until)}&limit=10000`;
    const page = await server.ask('GET', `/devices/${device}/fixes?${range}`);
    for (const each of page.items)
      fixes.push({
        latitude: each.latitude,
        longitude: each.longitude,
        accuracy: each.accuracy_m ?? undefined,
        measured: Date.parse(each.measured_at),
        received: Date.parse(each.received_at ?? each.measured_at),
        speed: each.speed_m_s ?? undefined,
        course: each.course_deg ?? undefined,
        altitude: (each.altitude_reference && each.altitude_m) ?? undefined,
        altitudeError: each.vertical_accuracy_m ?? undefined,
        overSea: each.altitude_reference === 'sea_level',
      });
    next = page.next_from;
  }
  return fixes;
}

/** The alarms of zones that began in [from, to), in ms, in the form of the page's own history. */
export async function reportedEvents(server, device, from, to) {
  // The server lists the latest first.
  const alarms = await server.list(`/alarms?device=${device}`, {
    isLast: (items) => Date.parse(items.at(-1).began_at) < from,
  });
  const events = [];
  for (const alarm of alarms) {
    const began = Date.parse(alarm.began_at);
    if (began < from || began >= to || !alarm.zone_id) continue;
    const common = { alarm: alarm.id, zone: alarm.zone_id, name: alarm.name };
    events.push({
      ...common,
      event: alarm.subject === 'missed_signal' ? 'missed_signal' : 'alarm',
      cause: alarm.cause ?? undefined,
      distance_m: alarm.distance_m ?? undefined,
      place: alarm.latitude === null ? undefined : [alarm.latitude, alarm.longitude],
      time_ms: began,
      decided_ms: Date.parse(alarm.decided_at),
      learned_ms: Date.parse(alarm.learned_at),
    });
    if (alarm.cleared_at)
      events.push({ ...common, event: 'cleared', why: alarm.clearing, time_ms: Date.parse(alarm.cleared_at) });
  }
  return events.sort((a, b) => a.time_ms - b.time_ms);
}
