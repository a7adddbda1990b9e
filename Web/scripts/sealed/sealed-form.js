// The content of a sealed message: an alarm that rang, or an answer to one. Padded, so that the size reveals nothing about the
// zone's name. Messages from other browsers are validated strictly.

const page_bytes = 512;
const longestName = 200;
const causes = ['inside', 'near', 'passed', 'dwell', 'left', 'possible'];
const answers = ['close', 'sleep', 'inside', 'today'];

const isTime = (value) => Number.isSafeInteger(value) && value > 0 && value < 8.64e15;
const isID = (value) => typeof value === 'string' && /^[0-9a-f]{16,64}$/.test(value);
const isWithin = (value, most) => typeof value === 'number' && Math.abs(value) <= most;

/** @param {object} message `{kind: 'alarm', id, zone, cause, time_ms, place?, distance_m?}` or `{kind: 'answer', id, command, time_ms}` */
export function write(message) {
  const bytes = new TextEncoder().encode(JSON.stringify(message));
  const padded = new Uint8Array(Math.ceil(bytes.length / page_bytes) * page_bytes).fill(0x20);
  padded.set(bytes);
  return padded;
}

/** @param {Uint8Array} bytes @returns {object|null} null if `write` cannot have written them */
export function read(bytes) {
  let value;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || !isID(value.id) || !isTime(value.time_ms)) return null;
  const { kind, id, time_ms } = value;
  if (kind === 'answer') return answers.includes(value.command) ? { kind, id, time_ms, command: value.command } : null;
  if (kind !== 'alarm' || typeof value.zone !== 'string' || !causes.includes(value.cause)) return null;
  const message = { kind, id, time_ms, zone: value.zone.slice(0, longestName), cause: value.cause };
  if (value.place !== undefined) {
    if (!Array.isArray(value.place) || value.place.length !== 2) return null;
    const [latitude, longitude] = value.place;
    if (!isWithin(latitude, 90) || !isWithin(longitude, 180)) return null;
    message.place = [latitude, longitude];
  }
  if (value.distance_m !== undefined) {
    if (!isWithin(value.distance_m, 3e7)) return null;
    message.distance_m = value.distance_m;
  }
  return message;
}

/** @param {object} event of the engine @param {{place?: [number, number], distance?: number}} more details that the sender chose to add */
export function alarmMessage(event, { place, distance } = {}) {
  const message = {
    kind: 'alarm',
    id: event.alarm,
    zone: (event.name ?? '').slice(0, longestName),
    cause: event.cause,
    time_ms: event.time_ms,
  };
  if (place) message.place = place;
  if (distance !== undefined) message.distance_m = Math.round(distance);
  return message;
}
