// Where this device is, asked once: for maps, whether alarms are on or not.
import { fix } from '../engine/rows.js';
import { permission } from './permissions.js';

const patience_ms = 30_000;
/** An older position does not say where one is now, in ms: a train goes a kilometre meanwhile. */
const fresh_ms = 30_000;

/** How old the last position is, in ms; undefined where there is none. */
export const ageOf = ({ report: { position }, now }) => position && Math.abs(now - position.measured_ms);
export const isOld = (app) => !(ageOf(app) <= fresh_ms);

/**
 * The place of a fix of the last 30 s, or of a new one (S15). An older one is never taken for it.
 * @returns {Promise<[number, number]|undefined>} undefined where there is none to be had, or where it may not be asked
 */
export async function ownPosition(app) {
  if (!isOld(app)) return placeOf(app);
  if (!navigator.geolocation) return undefined;
  return new Promise((done) => {
    navigator.geolocation.getCurrentPosition(
      (position) => {
        app.take([fix(position, app.now)]);
        done([position.coords.latitude, position.coords.longitude]);
      },
      () => done(undefined),
      { enableHighAccuracy: true, maximumAge: 0, timeout: patience_ms },
    );
  });
}

/** Asks anew for a position that is old, where that is allowed already: nobody is asked for a permission. */
export async function renewPosition(app) {
  if (!isOld(app) || isRenewing) return;
  isRenewing = true;
  try {
    if ((await permission('geolocation')) === 'granted') await ownPosition(app);
  } finally {
    isRenewing = false;
  }
}
let isRenewing = false;

let early;
/** Where it is allowed already, the position is asked for before the page has begun: the map opens there. */
export async function lookEarly() {
  const permission = await navigator.permissions?.query({ name: 'geolocation' }).catch(() => undefined);
  if (permission?.state !== 'granted') return;
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      early = [coords.latitude, coords.longitude];
    },
    () => {},
    { maximumAge: 60_000, timeout: patience_ms },
  );
}
/** What it found, so far. @returns {[number, number]|undefined} */
export const earlyPlace = () => early;

/** The last place, however old: for where a map opens, not for where one is. @returns {[number, number]|undefined} */
export function placeOf(app) {
  const { position } = app.report;
  return position && [position.latitude, position.longitude];
}
