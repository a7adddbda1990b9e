// The module that draws each address. The first route whose pattern matches is taken.
//
// A screen module exports one of
//   export function show(app, outlet, { parameters, query }) → optionally a function that is called on leaving
//   export const screen = class extends HTMLElement; it gets `app`, `parameters` and `query` before it is connected.
// and, if it needs data before it is drawn, `export async function prepare(app)`.
//
// `map` is the map's place on a phone: `none`, it is hidden; `behind`, it fills the stage and the screen floats over it (touches
// outside controls reach the map). On wide screens it is always beside the pane.
// `isState: true`: one of several screens of a place; the place's link in the bar leads to the one shown last.
// `bar: false` hides the bottom bar on phones while people work on one thing.
import { phone } from '../device/phone-app.js';
import { t } from '../words/translate.js';

export const routes = [
  { pattern: '/', place: 'alarm', title: t`Alarm`, load: () => import('../../screens/alarm/alarm-screen.js') },
  {
    pattern: '/map',
    place: 'zones',
    isState: true,
    title: t`Map`,
    map: 'behind',
    load: () => import('../../screens/map/map-screen.js'),
  },
  {
    pattern: '/zones',
    place: 'zones',
    isState: true,
    title: t`Zones`,
    load: () => import('../../screens/zones/zones-screen.js'),
  },
  {
    pattern: '/zones/:id',
    place: 'zones',
    title: t`Zone`,
    map: 'behind',
    bar: false,
    load: () => import('../../screens/zones/zone-editor.js'),
  },
  {
    pattern: '/messages',
    place: 'more',
    title: t`Messages`,
    load: () => import('../../screens/messages/messages-screen.js'),
  },
  {
    pattern: '/messages/:id',
    place: 'more',
    title: t`Message`,
    bar: false,
    load: () => import('../../screens/messages/message-editor.js'),
  },
  { pattern: '/sounds', place: 'more', title: t`Sounds`, load: () => import('../../screens/sounds/sounds-screen.js') },
  {
    pattern: '/reminders',
    place: 'alarm',
    title: t`Reminders`,
    load: () => import('../../screens/reminders/reminders-screen.js'),
  },
  {
    pattern: '/reminders/nearby',
    place: 'alarm',
    title: t`Nearby`,
    load: () => import('../../screens/reminders/nearby-screen.js'),
  },
  {
    pattern: '/reminders/:id',
    place: 'alarm',
    title: t`Reminder`,
    map: 'behind',
    bar: false,
    load: () => import('../../screens/reminders/reminder-editor.js'),
  },
  {
    pattern: '/replay',
    place: 'history',
    title: t`Replay`,
    map: 'behind',
    load: () => import('../../screens/history/replay-screen.js'),
  },
  {
    pattern: '/history',
    place: 'history',
    title: t`History`,
    map: 'behind',
    load: () => import('../../screens/history/history-screen.js'),
  },
  {
    pattern: '/past',
    place: 'history',
    title: t`Stays and trips`,
    load: () => import('../../screens/history/past-screen.js'),
  },
  { pattern: '/why/:id', place: 'history', title: t`Why`, load: () => import('../../screens/history/why-screen.js') },
  { pattern: '/share', place: 'more', title: t`Share`, load: () => import('../../screens/files/share-screen.js') },
  {
    pattern: '/receive',
    place: 'more',
    title: t`Receive`,
    load: () => import('../../screens/files/receive-screen.js'),
  },
  {
    pattern: '/account',
    place: 'more',
    title: t`Account`,
    load: () => import('../../screens/account/account-screen.js'),
  },
  {
    pattern: '/open',
    place: 'more',
    title: t`Open on your phone`,
    load: () => import('../../screens/account/open-screen.js'),
  },
  {
    pattern: '/security',
    place: 'more',
    title: t`Security`,
    load: () => import('../../screens/account/security-screen.js'),
  },
  {
    pattern: '/organisations',
    place: 'more',
    title: t`For organisations`,
    load: () => import('../../screens/account/organisations-screen.js'),
  },
  {
    pattern: '/log',
    place: 'more',
    title: t`Account log`,
    load: () => import('../../screens/account/log-screen.js'),
  },
  {
    pattern: '/collections',
    place: 'people',
    title: t`Shared zones`,
    load: () => import('../../screens/account/collections-screen.js'),
  },
  {
    pattern: '/people',
    place: 'people',
    title: t`People`,
    load: () => import('../../screens/people/people-screen.js'),
  },
  {
    pattern: '/sealed',
    place: 'more',
    title: t`Sealed alarm messages`,
    load: () => import('../../screens/sealed/sealed-screen.js'),
  },
  {
    pattern: '/groups',
    place: 'people',
    title: t`Groups that you manage`,
    load: () => import('../../screens/people/groups-screen.js'),
  },
  {
    pattern: '/groups/:id',
    place: 'people',
    title: t`Group`,
    load: () => import('../../screens/people/groups-screen.js'),
  },
  {
    pattern: '/join/:link',
    place: 'people',
    title: t`Join a group`,
    load: () => import('../../screens/people/join-screen.js'),
  },
  {
    pattern: '/seen/:link',
    place: 'people',
    title: t`Where a phone is`,
    map: 'behind',
    bar: false,
    load: () => import('../../screens/people/seen-screen.js'),
  },
  {
    pattern: '/pairing',
    place: 'people',
    title: t`Background reporting`,
    load: () => import('../../screens/account/pairing-screen.js'),
  },
  {
    pattern: '/phones',
    place: 'people',
    title: t`Which app for which phone`,
    load: () => import('../../screens/account/phones-screen.js'),
  },
  { pattern: '/more', place: 'more', title: t`More`, load: () => import('../../screens/settings/more-screen.js') },
  {
    pattern: '/settings',
    place: 'more',
    title: t`Settings`,
    load: () => import('../../screens/settings/settings-screen.js'),
  },
  {
    pattern: '/settings/:page',
    place: 'more',
    title: t`Settings`,
    load: () => import('../../screens/settings/settings-screen.js'),
  },
  {
    pattern: '/phone',
    place: 'more',
    title: phone ? t`This phone` : t`This device`,
    load: () => import('../../screens/settings/phone-screen.js'),
  },
  { pattern: '/about', place: 'more', title: t`About`, load: () => import('../../screens/settings/about-screen.js') },
  {
    pattern: '/about/:page',
    place: 'more',
    title: t`About`,
    load: () => import('../../screens/settings/about-screen.js'),
  },
  {
    pattern: '/diagnostics',
    place: 'more',
    title: t`Diagnostics`,
    load: () => import('../../screens/settings/diagnostics-screen.js'),
  },
  {
    pattern: '/first-run',
    place: 'alarm',
    title: t`Welcome`,
    bar: false,
    load: () => import('../../screens/alarm/first-run-screen.js'),
  },
];

/** The five places of the bar and the rail. */
export const places = [
  { name: 'alarm', label: t`Alarm`, picture: 'bell', address: '#/' },
  { name: 'zones', label: t`Zones`, picture: 'map', address: '#/zones' },
  { name: 'people', label: t`People`, picture: 'people', address: '#/people' },
  { name: 'history', label: t`History`, picture: 'clock', address: '#/history' },
  { name: 'more', label: t`More`, picture: 'sliders', address: '#/more' },
];
