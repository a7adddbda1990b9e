// What to check in the system when an alarm is not heard, felt or seen (S32). No page can look there itself.

/** @returns {'ios'|'android'|'mac'|'windows'|'other'} An iPad calls itself a Macintosh, with fingers. */
export function system(agent = navigator.userAgent, touches = navigator.maxTouchPoints) {
  if (/iPhone|iPod|iPad/.test(agent) || (/Macintosh/.test(agent) && touches > 1)) return 'ios';
  if (/Android/.test(agent)) return 'android';
  if (/Macintosh/.test(agent)) return 'mac';
  return /Windows/.test(agent) ? 'windows' : 'other';
}

export const systemNames = {
  ios: 'iPhone and iPad',
  android: 'Android',
  mac: 'Mac',
  windows: 'Windows',
  other: 'On a computer',
};

const everywhere = {
  sound: [
    'Turn the volume up while a sound plays: many systems keep several volumes.',
    'Check that the sound does not go to headphones, or to a car.',
  ],
  notification: ['Notifications have to be allowed for this page, in the browser’s settings for the site.'],
};

const help = {
  ios: {
    sound: [
      'The switch at the side, or Silent Mode, can silence web pages. Turn it off.',
      'Settings › Sounds & Haptics: raise the volume.',
      'Focus: allow Safari, or turn it off.',
    ],
    vibration: ['Web pages cannot vibrate on iPhone and iPad. Rely on the sound.'],
    notification: [
      'Notifications come only when the page was added to the Home Screen: Share › Add to Home Screen.',
      'Settings › Notifications › Proximity Alarm: allow, with Sounds and Lock Screen.',
    ],
    position: [
      'Settings › Privacy & Security › Location Services: on, and for Safari Websites “While Using”, Precise Location on.',
    ],
  },
  android: {
    sound: [
      'Settings › Sound: raise the media volume. The ringer’s is another one.',
      'Do Not Disturb: off, or allow media sounds.',
    ],
    vibration: [
      'Settings › Sound & vibration: vibration on, also for touch.',
      'Battery saver can switch vibration off.',
    ],
    notification: [
      'Settings › Apps › your browser › Notifications: on, with sound. For an installed page: Proximity Alarm.',
      'Settings › Apps › your browser › Battery: unrestricted.',
    ],
    position: [
      'Settings › Location: on, and “Precise” for the browser.',
      'Location services › Google Location Accuracy, or the like: on.',
    ],
  },
  mac: {
    sound: [
      'System Settings › Sound: raise the output volume, and check which output it is.',
      'The tab may be muted: look for a crossed loudspeaker on it.',
    ],
    vibration: ['Computers do not vibrate.'],
    notification: [
      'System Settings › Notifications › your browser: allow, with sound.',
      'Focus: off, or allow the browser.',
    ],
    position: ['System Settings › Privacy & Security › Location Services: on for the browser.'],
  },
  windows: {
    sound: [
      'Volume mixer: the browser may be turned down by itself.',
      'The tab may be muted: look for a crossed loudspeaker on it.',
    ],
    vibration: ['Computers do not vibrate.'],
    notification: ['Settings › System › Notifications: on for the browser; Do not disturb off.'],
    position: ['Settings › Privacy & security › Location: on, for desktop apps too.'],
  },
  other: {
    sound: ['The tab may be muted: look for a crossed loudspeaker on it.'],
    vibration: ['Whether it can vibrate depends on the device.'],
    notification: ['Check the notifications of the desktop, and “do not disturb”.'],
    position: ['Location has to be on in the system and allowed for the browser.'],
  },
};

/** @param {'sound'|'vibration'|'notification'|'position'} what */
export const checks = (what, on = system()) => [...help[on][what], ...(everywhere[what] ?? [])];
