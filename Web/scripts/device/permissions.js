// Permissions of the system, requested one at a time and only after a tap.
import * as notifications from '../alarm/notifications.js';

/** @returns {Promise<'granted'|'denied'|'prompt'|'unavailable'>} */
export async function permission(name) {
  if (name === 'geolocation' && !navigator.geolocation) return 'unavailable';
  if (name === 'notifications' && notifications.permission() !== 'default') return notifications.permission();
  try {
    return (await navigator.permissions.query({ name })).state;
  } catch {
    return 'prompt';
  }
}

/** Requests the position, for which the browser asks the person. @returns {Promise<{state: string, position?: GeolocationPosition}>} */
export function askPosition() {
  if (!navigator.geolocation) return Promise.resolve({ state: 'unavailable' });
  return new Promise((done) => {
    navigator.geolocation.getCurrentPosition(
      (position) => done({ state: 'granted', position }),
      (error) => done({ state: error.code === error.PERMISSION_DENIED ? 'denied' : 'later' }),
      { enableHighAccuracy: true, timeout: 20_000, maximumAge: 60_000 },
    );
  });
}

/** True if the page runs as an installed application, not in a browser tab. */
export const isInstalled = () => matchMedia('(display-mode: standalone)').matches || navigator.standalone === true;
