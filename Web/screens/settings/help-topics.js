// The help: short topics (S26), each with details (S27).
import { checks, system, systemNames } from '../../scripts/device/device-help.js';
import { t } from '../../scripts/words/translate.js';

/** `text` holds paragraphs; an array in it is a list. */
export const topics = [
  {
    name: 'start',
    title: t`How it works`,
    picture: 'bell',
    short: t`Draw a zone, tap Activate, go.`,
    text: [
      t`Proximity Alarm is an alarm clock whose trigger is a place. Draw a zone on the map, or receive one. Tap
        Activate: every zone that is switched on is watched. When you come too near, enter, stay in or leave, as the
        zone says, it rings.`,
      t`The ring around a zone closes as you approach. Close takes the alarm away and lets it sound again after the
        Alarm Cycle Time. Sleep keeps it quiet for a while. Deactivate ends it all with one tap.`,
      t`Whether a zone is watched without a gap, and up to which speed, is written at each zone. If it cannot be
        promised, the reason is there.`,
    ],
  },
  {
    name: 'zones',
    title: t`Zones`,
    picture: 'area',
    short: t`Circles, areas and paths, and how near is too near.`,
    text: [
      t`A zone has one point and a size, or several numbered points. Tap the map where it should ring; tap again to move
        it, drag its edge to resize it. Where the map shows streets, the building or the street there can be the zone.`,
      t`For an area or a path, hold the map to add a point, and drag a point to move it.`,
      [
        t`Grow or shrink: moves every edge outwards or inwards.`,
        t`Alert distance: it rings this far outside the edge.`,
        t`Priority: a higher number is more urgent.`,
        t`Sleep time, sound, vibration, messages and hours: each zone has its own.`,
      ],
      t`Do not rely on a small zone at high speed: at 100 km/h you pass 28 m each second. Set the alert
        distance so that you are warned in time.`,
    ],
  },
  {
    name: 'messages',
    title: t`Messages`,
    picture: 'message',
    short: t`Proposed when a zone rings. You press send.`,
    text: [
      t`A zone can have messages: who you are, to whom, which number, one line of words. When zones ring, their messages
        become one, proposed to everybody at once. Nothing is sent by itself.`,
      t`One tap opens the device’s own message application with all numbers and the text. On iPhone, iPad and Mac that
        is Messages; on Android the application you have chosen for SMS. Some of them send to several people as a group,
        some one by one. On a computer without such an application nothing opens: share or copy the text instead.`,
    ],
  },
  {
    name: 'reminders',
    title: t`Reminders`,
    picture: 'check',
    short: t`A list, and any of several places.`,
    text: [
      t`Search for a shop and tap the branches you want: chosen pins turn grey. Near any of them you are reminded
        once, with a sound. Tick things off, complete the list, or snooze it. “Again next time” starts again when you
        have left.`,
    ],
  },
  {
    name: 'permissions',
    title: t`When you hear nothing`,
    picture: 'mute',
    short: t`Settings of the system to check.`,
    text: [
      () => systemNames[system()],
      t`Sound`,
      () => checks('sound'),
      t`Vibration`,
      () => checks('vibration'),
      t`Notifications`,
      () => checks('notification'),
      t`Position`,
      () => checks('position'),
      t`If the system keeps the sound of notifications off, no page can do anything about it.`,
    ],
  },
  {
    name: 'limits',
    title: t`What a page cannot do`,
    picture: 'warning',
    short: t`The page works only while it is visible.`,
    text: [
      t`A web page gets positions only while it is in view. When the screen locks, or another app is in front, it
        gets no positions, on every system. Browsers set this rule. No browser has region monitoring, by which a
        phone app is woken at a zone.`,
      [
        t`Keep the page in view and the screen on while you rely on it. It keeps the screen on while alarms are on.`,
        t`When you come back, the way in between is checked: a zone that you passed through rings then, and says so.`,
        t`For alarms in the pocket, set up background reporting: a phone app reports to a server, which watches and
          wakes you by a push message.`,
      ],
      t`On iPhone and iPad, pages cannot vibrate, and show notifications only from the Home Screen. A page that is not
        installed may lose what it keeps when it is not used for weeks: install it, and save a backup.`,
    ],
    link: { label: t`Background reporting`, href: '#/pairing' },
  },
  {
    name: 'battery',
    title: t`Battery`,
    picture: 'battery',
    short: t`Satellites and a lit screen use a lot of it.`,
    text: [
      t`While alarms are on, this page asks for every position the device has, and keeps the screen lit. Both drain the
        battery fast: hours, not days. Plug in on long journeys.`,
      t`Our phone apps ask as seldom as is safe: the nearer a zone is, the more often. OwnTracks reports after each move
        of the Distance Filter (50 m unless you change it).`,
    ],
  },
  {
    name: 'privacy',
    title: t`Privacy`,
    picture: 'shield',
    short: t`Positions stay on this device.`,
    text: [
      t`Everything is decided on this device. Without an account nothing about you leaves it: no positions, no zones, no
        counting of visits.`,
      t`With an account, zones and reminders go to your server, and so do positions of phones you pair. A search for
        a place sends your words and where the map is. Tiles of a map service you set tell it where you look. A
        message goes where you send it.`,
    ],
    link: { label: t`Your data`, href: '#/settings/data' },
  },
  {
    name: 'disclaimer',
    title: t`Disclaimer`,
    picture: 'info',
    short: t`Use at your own risk.`,
    text: [
      t`Use this at your own risk. An alarm can be late or missing. It depends on the device, its settings, reception
        and battery, which this program cannot control.`,
      t`It is an aid. It replaces neither attention nor barriers, guides or safety equipment. Do not let a life depend
        on it alone.`,
    ],
  },
  {
    name: 'licences',
    title: t`Licences and sources`,
    picture: 'list',
    short: t`The people and projects whose work is used here.`,
    text: [
      [
        t`Map drawing: MapLibre GL JS, BSD-3-Clause`,
        t`Map files: PMTiles, BSD-3-Clause`,
        t`Countries: Natural Earth, public domain`,
        t`Cities: GeoNames, CC BY 4.0`,
        t`Places and map tiles of services you set: their own licences, shown with them`,
      ],
      t`The sounds are made on the device by this program.`,
    ],
  },
];
