// The device's position, requested once: for maps, whether alarms are on or not.
import { fix } from '../engine/rows.js';
import { permission } from './permissions.js';

const patience_ms = 30_000;
/** The age, in ms, up to which a position counts as the current one: a train covers a kilometre in that time. */
const fresh_ms = 30_000;

/** The age of the last position, in ms; undefined if there is none. */
export const ageOf = ({ report: { position }, now }) => position && Math.abs(now - position.measured_ms);
export const isOld = (app) => !(ageOf(app) <= fresh_ms);

/**
 * The place of a fix of the last 30 s, or of a new one (S15); never that of an older one.
 * @returns {Promise<[number, number]|undefined>} undefined if no position is available or allowed
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

/** Requests a new position if the last is old and the permission is granted already: the person is not asked. */
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
/** Requests the position before the page has begun, if that is allowed already: the map opens there. */
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
/** The place that `lookEarly` has found, if any yet. @returns {[number, number]|undefined} */
export const earlyPlace = () => early;

/** The last place, however old: for the first view of a map, not as the current position. @returns {[number, number]|undefined} */
export function placeOf(app) {
  const { position } = app.report;
  return position && [position.latitude, position.longitude];
}
