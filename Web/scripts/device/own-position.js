// Where this device is, asked once: for maps, whether alarms are on or not.
import { fix } from '../engine/rows.js';

const patience_ms = 30_000;

/**
 * The place of the last fix, or of a new one; a first run has to find it even when no program asked for a long time (S15).
 * @returns {Promise<[number, number]|undefined>} undefined where there is none to be had, or where it may not be asked
 */
export async function ownPosition(app) {
  const known = placeOf(app);
  if (known || !navigator.geolocation) return known;
  return new Promise((done) => {
    navigator.geolocation.getCurrentPosition(
      (position) => {
        app.take([fix(position, app.now)]);
        done(placeOf(app) ?? [position.coords.latitude, position.coords.longitude]);
      },
      () => done(placeOf(app)),
      { enableHighAccuracy: true, maximumAge: 0, timeout: patience_ms },
    );
  });
}

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

/** @returns {[number, number]|undefined} */
export function placeOf(app) {
  const { position } = app.report;
  return position && [position.latitude, position.longitude];
}
