// The help, short (S26), each topic with its details behind it (S27).
import { checks, system, systemNames } from '../../scripts/device/device-help.js';

/** `text` are paragraphs; an array among them is a list. */
export const topics = [
  {
    name: 'start',
    title: 'How it works',
    picture: 'bell',
    short: 'Draw a zone, tap Activate, go.',
    text: [
      'Proximity Alarm is an alarm clock whose trigger is a place. Draw a zone on the map, or receive one. ' +
        'Tap Activate: every zone that is switched on is watched. When you come too near, enter, stay in or ' +
        'leave, as the zone says, it rings.',
      'The ring around a zone closes as you approach. Close takes the alarm away and lets it sound again ' +
        'after the Alarm Cycle Time. Sleep keeps it quiet for a while. Deactivate ends it all with one tap.',
      'Whether a zone is watched without a gap, and up to which speed, is written at each zone. If it cannot be promised, the reason is there.',
    ],
  },
  {
    name: 'zones',
    title: 'Zones',
    picture: 'area',
    short: 'Circles, areas and paths; how near is too near.',
    text: [
      'A zone has one point and a size, or several numbered points. Tap the map where it shall ring; ' +
        'tap again to move it, drag its edge to resize it. Where the map shows streets, the building or the street there can be the zone.',
      'For an area or a path, hold the map to add a point, and drag a point to move it.',
      [
        'Grow or shrink: moves every edge by so many metres.',
        'Alert distance: it rings that far outside already.',
        'Priority: a higher number is more urgent.',
        'Sleep time, sound, vibration, messages, hours: of each zone its own.',
      ],
      'Neither should you rely on a small zone at great speed: at 100 km/h you pass 28 m each second. Set the alert distance so that you are warned in time.',
    ],
  },
  {
    name: 'messages',
    title: 'Messages',
    picture: 'message',
    short: 'Proposed when a zone rings. You press send.',
    text: [
      'A zone can have messages: who you are, to whom, which number, one line of words. When zones ring, ' +
        'their messages become one, proposed to everybody at once. Nothing is sent by itself.',
      'One tap opens the device’s own message application with all numbers and the text. On iPhone, iPad ' +
        'and Mac that is Messages; on Android the application you have chosen for SMS. Some of them send to ' +
        'several people as a group, some one by one. On a computer without such an application nothing ' +
        'opens: share or copy the text instead.',
    ],
  },
  {
    name: 'reminders',
    title: 'Reminders',
    picture: 'check',
    short: 'A list, and any of several places.',
    text: [
      'Search a shop, tap the branches you want: chosen pins turn grey. Near any of them you are reminded ' +
        'once, with a sound. Tick things off, complete the list, or snooze it. “Again next time” starts anew ' +
        'when you have left.',
    ],
  },
  {
    name: 'permissions',
    title: 'When you hear nothing',
    picture: 'mute',
    short: 'What to check in the system.',
    text: [
      () => systemNames[system()],
      'Sound',
      () => checks('sound'),
      'Vibration',
      () => checks('vibration'),
      'Notifications',
      () => checks('notification'),
      'Position',
      () => checks('position'),
      'If the system keeps the sound of notifications off, no page can do anything about it.',
    ],
  },
  {
    name: 'limits',
    title: 'What a page cannot do',
    picture: 'warning',
    short: 'It is awake only while you see it.',
    text: [
      'A web page gets positions only while it is in view. When the screen locks, or another application ' +
        'is in front, it hears of nothing, on every system. That is the browser’s rule, not ours. No browser has region ' +
        'monitoring, by which a phone app is woken at a zone.',
      [
        'Keep the page in view and the screen on while you rely on it. It keeps the screen from sleeping while alarms are on.',
        'When you come back, the way in between is judged: a zone you passed through rings then, late, and says so.',
        'For alarms in the pocket, let a phone app report in the background to a server: it watches, and wakes you by a push message.',
      ],
      'On iPhone and iPad, pages cannot vibrate, and show notifications only from the Home Screen. A page ' +
        'that is not installed may lose what it keeps when it is not used for weeks: install it, and save a ' +
        'backup.',
    ],
    link: { label: 'Report in the background', href: '#/pairing' },
  },
  {
    name: 'battery',
    title: 'Battery',
    picture: 'battery',
    short: 'Satellites and a lit screen cost.',
    text: [
      'While alarms are on, this page asks for every position the device has, and keeps the screen lit. ' +
        'Both drain the battery fast: hours, not days. Plug in on long ways.',
      'Phone apps that report in the background ask as seldom as is safe, and use satellites all the time ' +
        'only near a zone, within the Standard Threshold (50 m unless you change it).',
    ],
  },
  {
    name: 'privacy',
    title: 'Privacy',
    picture: 'shield',
    short: 'Positions stay on this device.',
    text: [
      'Everything is decided on this device. Without an account nothing about you leaves it: no positions, no zones, no counting of visits.',
      'What does leave, and when: with an account, zones and reminders go to your server, and positions of ' +
        'devices you pair. Searching a place sends your words, and where the map is. Tiles of a map service ' +
        'you set tell it where you look. A message goes where you send it.',
    ],
    link: { label: 'Your data', href: '#/settings/data' },
  },
  {
    name: 'disclaimer',
    title: 'Disclaimer',
    picture: 'info',
    short: 'Use at your own risk.',
    text: [
      'Use this at your own risk. Whether an alarm comes, and comes in time, depends on the device, on its ' +
        'settings, on reception and on the battery: all of them outside this program’s control.',
      'It is an aid. It replaces neither attention nor barriers, guides or safety equipment. Do not let a life depend on it alone.',
    ],
  },
  {
    name: 'licences',
    title: 'Licences and sources',
    picture: 'list',
    short: 'Whose work is in here.',
    text: [
      [
        'Map drawing: MapLibre GL JS, BSD-3-Clause',
        'Map files: PMTiles, BSD-3-Clause',
        'Countries: Natural Earth, public domain',
        'Cities: GeoNames, CC BY 4.0',
        'Places and map tiles of services you set: their own licences, shown with them',
      ],
      'The sounds are made on the device by this program.',
    ],
  },
];
