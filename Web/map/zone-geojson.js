// Zones as GeoJSON. The engine writes them in batches, with pauses for the page to respond.

/** The longest time between two pauses, and the target time of one batch, in ms. */
const frame_ms = 6;
const batch_ms = 2;
/** The time between pauses while there is no map yet that a person could move, in ms. */
const earlyFrame_ms = 24;

/**
 * Collects the engine's answers to `ask` in one text.
 * @param {() => boolean} isWanted false cancels the work
 * @returns {Promise<string[]|undefined>} the parts of the text; undefined after a cancellation
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
      // Circles are fast, large polygons are slow: adapts the size of the batch.
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

/** The zones' alarms, which affect their style, as text to compare. */
export const alarmsOf = ({ report }) => report.alarms.map(({ zone }) => `${zone.id}${zone.state}`).join();
/** Compares by identity: zones are never changed in place. */
export const areSame = (some, others) =>
  some.length === others.length && some.every((form, index) => form === others[index]);

let early;
/** Writes the pins while the map is loading, so that thousands are in its first picture and not seconds later. */
export async function writePins(app) {
  await app.begun;
  early = {
    forms: app.watched,
    alarms: alarmsOf(app),
    parts: written(app, 'map_pins', {}, { slice_ms: earlyFrame_ms }),
  };
  await early.parts;
}

/** The pins written early, if they are still correct; handed out once. @returns {Promise<string[]>|undefined} */
export function earlyPins(app) {
  const isRight = early && early.alarms === alarmsOf(app) && areSame(early.forms, app.watched);
  const pins = isRight ? early.parts : undefined;
  early = undefined;
  return pins;
}
