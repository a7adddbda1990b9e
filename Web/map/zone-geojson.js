// Zones as GeoJSON, written by the engine some at a time between two frames.

/** So long the page may be kept from answering, and so long one question to the engine is to take. */
const frame_ms = 6;
const batch_ms = 2;
/** While there is no map yet that could be moved. */
const earlyFrame_ms = 24;

/**
 * @param {() => boolean} isWanted whether to go on
 * @returns {Promise<string[]|undefined>} parts of one text; nothing once not wanted
 */
export async function written(app, ask, values, { isWanted = () => true, slice_ms = frame_ms } = {}) {
  const parts = ['{"type":"FeatureCollection","features":['];
  let count = 16;
  for (let from = 0; from !== undefined;) {
    const until = performance.now() + slice_ms;
    for (let now = performance.now(); from !== undefined && now < until;) {
      const { features, next } = app.ask(ask, { ...values, from, count });
      if (features.length) parts.push(parts.length > 1 ? ',' : '', features);
      from = next;
      const spent = performance.now() - now;
      now += spent;
      // Circles are quick, large polygons are not: as many as fit.
      count = Math.round(Math.max(4, Math.min(1000, count * Math.min(4, batch_ms / Math.max(0.05, spent)))));
    }
    if (from !== undefined)
      await new Promise((done) => {
        setTimeout(done, 0);
      });
    if (!isWanted()) return undefined;
  }
  parts.push(']}');
  return parts;
}

/** What the look of zones comes from, besides their forms. */
export const alarmsOf = ({ report }) => report.alarms.map(({ zone }) => `${zone.id}${zone.state}`).join();
/** Zones are never changed in place. */
export const areSame = (some, others) =>
  some.length === others.length && some.every((form, index) => form === others[index]);

let early;
/** Writes the pins while the map is on its way: thousands come with its first picture, and not seconds later. */
export async function writePins(app) {
  await app.begun;
  early = {
    forms: app.watched,
    alarms: alarmsOf(app),
    parts: written(app, 'map_pins', {}, { slice_ms: earlyFrame_ms }),
  };
  await early.parts;
}

/** What was written early, once, if it is still right. @returns {Promise<string[]>|undefined} */
export function earlyPins(app) {
  const isRight = early && early.alarms === alarmsOf(app) && areSame(early.forms, app.watched);
  const pins = isRight ? early.parts : undefined;
  early = undefined;
  return pins;
}
