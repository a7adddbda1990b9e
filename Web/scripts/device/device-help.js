// Checks in the system's settings for a person who does not hear, feel or see an alarm (S32). A page cannot read these settings.
import { t } from '../words/translate.js';

/** @returns {'ios'|'android'|'mac'|'windows'|'other'} an iPad identifies itself as a Macintosh, but has a touch screen */
export function system(agent = navigator.userAgent, touches = navigator.maxTouchPoints) {
  if (/iPhone|iPod|iPad/.test(agent) || (/Macintosh/.test(agent) && touches > 1)) return 'ios';
  if (/Android/.test(agent)) return 'android';
  if (/Macintosh/.test(agent)) return 'mac';
  return /Windows/.test(agent) ? 'windows' : 'other';
}

export const systemNames = {
  ios: t`iPhone and iPad`,
  android: 'Android',
  mac: 'Mac',
  windows: 'Windows',
  other: t`On a computer`,
};

const everywhere = {
  sound: [
    t`Turn the volume up while a sound plays: many systems keep several volumes.`,
    t`Check that the sound does not go to headphones, or to a car.`,
  ],
  notification: [t`Notifications have to be allowed for this page, in the browser’s settings for the site.`],
};

const help = {
  ios: {
    sound: [
      t`The switch at the side, or Silent Mode, can silence web pages. Turn it off.`,
      t`Settings › Sounds & Haptics: raise the volume.`,
      t`Focus: allow Safari, or turn it off.`,
    ],
    vibration: [t`Web pages cannot vibrate on iPhone and iPad. Rely on the sound.`],
    notification: [
      t`Notifications come only when the page was added to the Home Screen: Share › Add to Home Screen.`,
      t`Settings › Notifications › Proximity Alarm: allow, with Sounds and Lock Screen.`,
    ],
    position: [
      t`Settings › Privacy & Security › Location Services: on, and for Safari Websites “While Using”, Precise Location
        on.`,
    ],
  },
  android: {
    sound: [
      t`Settings › Sound: raise the media volume. The ringer’s is another one.`,
      t`Do Not Disturb: off, or allow media sounds.`,
    ],
    vibration: [
      t`Settings › Sound & vibration: vibration on, also for touch.`,
      t`Battery saver can switch vibration off.`,
    ],
    notification: [
      t`Settings › Apps › your browser › Notifications: on, with sound. For an installed page: Proximity Alarm.`,
      t`Settings › Apps › your browser › Battery: unrestricted.`,
    ],
    position: [
      t`Settings › Location: on, and “Precise” for the browser.`,
      t`Location services › Google Location Accuracy, or the like: on.`,
    ],
  },
  mac: {
    sound: [
      t`System Settings › Sound: raise the output volume, and check which output it is.`,
      t`The tab may be muted: look for a crossed loudspeaker on it.`,
    ],
    vibration: [t`Computers do not vibrate.`],
    notification: [
      t`System Settings › Notifications › your browser: allow, with sound.`,
      t`Focus: off, or allow the browser.`,
    ],
    position: [t`System Settings › Privacy & Security › Location Services: on for the browser.`],
  },
  windows: {
    sound: [
      t`Volume mixer: the browser may be turned down by itself.`,
      t`The tab may be muted: look for a crossed loudspeaker on it.`,
    ],
    vibration: [t`Computers do not vibrate.`],
    notification: [t`Settings › System › Notifications: on for the browser; Do not disturb off.`],
    position: [t`Settings › Privacy & security › Location: on, for desktop apps too.`],
  },
  other: {
    sound: [t`The tab may be muted: look for a crossed loudspeaker on it.`],
    vibration: [t`Vibration depends on the device.`],
    notification: [t`Check the notifications of the desktop, and “do not disturb”.`],
    position: [t`Location has to be on in the system and allowed for the browser.`],
  },
};

/** @param {'sound'|'vibration'|'notification'|'position'} what */
export const checks = (what, on = system()) => [...help[on][what], ...(everywhere[what] ?? [])];
