// Which module draws which address. The first route whose pattern fits is taken.
//
// A screen module exports one of
//   export function show(app, outlet, { parameters, query }) → optionally a function that is called on leaving
//   export const screen = class extends HTMLElement; it gets `app`, `parameters` and `query` before it is connected.
// and, where it needs to know something before it is drawn, `export async function prepare(app)`.
//
// `map` says what the map does on a phone: `none`, it is not there; `behind`, it fills the stage and the screen floats
// over it (what is not a control lets touches through). On wide screens it is always beside the pane.
// `bar: false` takes the bottom bar away while people are at one thing, on phones.

export const routes = [
  { pattern: '/', place: 'alarm', title: 'Alarm', load: () => import('../../screens/alarm-screen.js') },
  { pattern: '/map', place: 'map', title: 'Map', map: 'behind', load: () => import('../../screens/map-screen.js') },
  { pattern: '/zones', place: 'zones', title: 'Zones', load: () => import('../../screens/zones-screen.js') },
  {
    pattern: '/zones/:id',
    place: 'zones',
    title: 'Zone',
    map: 'behind',
    bar: false,
    load: () => import('../../screens/zone-editor.js'),
  },
  { pattern: '/messages', place: 'more', title: 'Messages', load: () => import('../../screens/messages-screen.js') },
  {
    pattern: '/messages/:id',
    place: 'more',
    title: 'Message',
    bar: false,
    load: () => import('../../screens/message-editor.js'),
  },
  { pattern: '/sounds', place: 'more', title: 'Sounds', load: () => import('../../screens/sounds-screen.js') },
  {
    pattern: '/reminders',
    place: 'alarm',
    title: 'Reminders',
    load: () => import('../../screens/reminders-screen.js'),
  },
  {
    pattern: '/reminders/nearby',
    place: 'alarm',
    title: 'Nearby',
    load: () => import('../../screens/nearby-screen.js'),
  },
  {
    pattern: '/reminders/:id',
    place: 'alarm',
    title: 'Reminder',
    map: 'behind',
    bar: false,
    load: () => import('../../screens/reminder-editor.js'),
  },
  {
    pattern: '/replay',
    place: 'history',
    title: 'Replay',
    map: 'behind',
    load: () => import('../../screens/replay-screen.js'),
  },
  {
    pattern: '/history',
    place: 'history',
    title: 'History',
    map: 'behind',
    load: () => import('../../screens/history-screen.js'),
  },
  { pattern: '/why/:id', place: 'history', title: 'Why', load: () => import('../../screens/why-screen.js') },
  { pattern: '/share', place: 'more', title: 'Share', load: () => import('../../screens/share-screen.js') },
  { pattern: '/receive', place: 'more', title: 'Receive', load: () => import('../../screens/receive-screen.js') },
  { pattern: '/account', place: 'more', title: 'Account', load: () => import('../../screens/account-screen.js') },
  {
    pattern: '/pairing',
    place: 'more',
    title: 'Background reporting',
    load: () => import('../../screens/pairing-screen.js'),
  },
  { pattern: '/more', place: 'more', title: 'More', load: () => import('../../screens/more-screen.js') },
  { pattern: '/settings', place: 'more', title: 'Settings', load: () => import('../../screens/settings-screen.js') },
  {
    pattern: '/settings/:page',
    place: 'more',
    title: 'Settings',
    load: () => import('../../screens/settings-screen.js'),
  },
  { pattern: '/about', place: 'more', title: 'About', load: () => import('../../screens/about-screen.js') },
  { pattern: '/about/:page', place: 'more', title: 'About', load: () => import('../../screens/about-screen.js') },
  {
    pattern: '/diagnostics',
    place: 'more',
    title: 'Diagnostics',
    load: () => import('../../screens/diagnostics-screen.js'),
  },
  {
    pattern: '/first-run',
    place: 'alarm',
    title: 'Welcome',
    bar: false,
    load: () => import('../../screens/first-run-screen.js'),
  },
];

/** The five places of the bar and the rail. */
export const places = [
  { name: 'alarm', label: 'Alarm', picture: 'bell', address: '#/' },
  { name: 'map', label: 'Map', picture: 'map', address: '#/map' },
  { name: 'zones', label: 'Zones', picture: 'list', address: '#/zones' },
  { name: 'history', label: 'History', picture: 'clock', address: '#/history' },
  { name: 'more', label: 'More', picture: 'sliders', address: '#/more' },
];
