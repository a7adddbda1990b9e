// The log of the account: actions with person and origin, such as sign-ins and permissions. `#/log`.
import { row, section, topBar } from '../../parts/layout.js';
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { browserName } from '../../scripts/server/push.js';
import { serverOf } from '../../scripts/server/server.js';
import { t } from '../../scripts/words/translate.js';
import { clock, day } from '../../scripts/words/words.js';

/** Descriptions by the names of the API's operations. */
const actions = {
  logIn: t`Signed in`,
  logInByProxy: t`Signed in by the proxy`,
  logInByOIDC: t`Signed in by the provider`,
  logInByPasskey: t`Signed in with a passkey`,
  logInByCode: t`Signed in with a code of another device`,
  createSignInCode: t`Made a code that signs a phone in`,
  copiedPasskey: t`Signed in with a copied passkey`,
  createPasskey: t`Added a passkey`,
  putPasskey: t`Renamed a passkey`,
  deletePasskey: t`Removed a passkey`,
  endPasskeys: t`Removed all passkeys`,
  bindLoginIdentity: t`Linked a login elsewhere`,
  endLoginIdentity: t`Ended the link to a login elsewhere`,
  setUp: t`Made the account`,
  logOut: t`Signed out`,
  endSession: t`Signed a browser out`,
  setPassword: t`Set the password`,
  askForPasswordReset: t`Made a link for a new password`,
  usePasswordReset: t`Set the password by a link`,
  confirmSecondFactor: t`Switched codes on`,
  endSecondFactor: t`Switched codes off`,
  setAccountMail: t`Set the mail address`,
  createToken: t`Made a token`,
  revokeToken: t`Revoked a token`,
  createDevice: t`Added a phone`,
  putDevice: t`Changed a phone`,
  deleteDevice: t`Removed a phone`,
  claimDevice: t`Took over a phone`,
  setUpApp: t`Paired a phone`,
  addIdentity: t`Added a name that a phone reports by`,
  removeIdentity: t`Removed a name that a phone reports by`,
  importTrack: t`Imported a track`,
  deleteImport: t`Removed an import`,
  putPrivate: t`Turned private mode on or off`,
  createSealedKey: t`Made keys for sealed messages`,
  deleteSealedKey: t`Took a key for sealed messages away`,
  createSealedContact: t`Asked somebody for sealed messages`,
  agreeSealedContact: t`Agreed to sealed messages`,
  endSealedContact: t`Ended sealed messages`,
  createShare: t`Let somebody see a phone`,
  putShare: t`Changed what somebody sees`,
  endShare: t`Ended what somebody sees`,
  acceptShare: t`Agreed to see a phone`,
  createGroup: t`Made a group`,
  putGroup: t`Renamed a group`,
  deleteGroup: t`Ended a group`,
  giveCollection: t`Gave a group zones`,
  takeCollection: t`Took zones back from a group`,
  inviteMember: t`Invited somebody to a group`,
  makeGroupLink: t`Made a link to join a group`,
  makeAccountLink: t`Made a link to join a group with a new account`,
  endGroupLink: t`Ended a link to join a group`,
  acceptMembership: t`Joined a group`,
  joinGroup: t`Joined a group`,
  endMembership: t`Ended a membership in a group`,
  createDeputy: t`Offered somebody to answer alarms`,
  acceptDeputy: t`Agreed to answer alarms`,
  letManagerAnswer: t`Let a manager answer alarms`,
  endDeputy: t`Ended that somebody answers alarms`,
  endManagerAnswering: t`Ended that somebody answers alarms`,
  closeOthersAlarm: t`Closed an alarm for its owner`,
  sleepOthersAlarm: t`Put an alarm to sleep for its owner`,
  createCompanion: t`Set an alarm for two phones that meet or part`,
  putCompanion: t`Changed an alarm for two phones that meet or part`,
  endCompanion: t`Ended an alarm for two phones that meet or part`,
  createExpectedArrival: t`Set by when a phone has to arrive`,
  editExpectedArrival: t`Changed by when a phone has to arrive`,
  deleteExpectedArrival: t`Ended that a phone has to arrive by a time`,
  createCollection: t`Published zones`,
  putCollection: t`Changed published zones`,
  deleteCollection: t`Ended a publication of zones`,
  publishPack: t`Gave zones out as a pack`,
  endPack: t`Ended a pack of zones`,
  changePackKey: t`Changed the key of packs`,
  addMember: t`Let somebody follow zones`,
  removeMember: t`No longer lets somebody follow zones`,
  followCollection: t`Followed zones`,
  unfollowCollection: t`No longer follows zones`,
  createChannel: t`Added a channel`,
  putChannel: t`Changed a channel`,
  deleteChannel: t`Removed a channel`,
  exportAccount: t`Downloaded everything`,
  disableAccount: t`Shut the account`,
  enableAccount: t`Opened the account again`,
};

const tokens = /^[0-9a-f]{16}( [0-9a-f]{16})*$/;

/** The subject of an entry, except ids, which tell a person nothing. */
const subject = ({ subject: text }) => (tokens.test(text) ? '' : text);

function line(entry) {
  const who = {
    session: () => browserName(entry.by_name),
    token: () => t`the token ${entry.by_name || '—'}`,
    command_line: () => t`the operator of the server`,
    stranger: () => browserName(entry.by_name),
    person: () => entry.by_name,
  };
  const at = Date.parse(entry.at);
  const title = actions[entry.action] ?? entry.action;
  const said = entry.is_refused ? t`Refused: ${title}` : title;
  const from = entry.address === 'local' ? [] : [entry.address];
  return row({
    title: subject(entry) ? `${said} · ${subject(entry)}` : said,
    detail: [clock(at), who[entry.by]?.() ?? entry.by, ...from].join('\u00a0· '),
    key: entry.id,
    leading: h(
      'span',
      { class: `tile ${entry.is_refused ? 'warn' : 'quiet'}` },
      icon(entry.is_refused ? 'warning' : 'user'),
    ),
  });
}

export function show(app, outlet) {
  const server = serverOf(app);
  const place = h('div', {});
  const more = h('button', { type: 'button', class: 'button wide', hidden: true }, t`Show earlier ones`);
  let entries = [];
  let next = null;
  outlet.append(
    h(
      'div',
      { class: 'pane' },
      topBar({ title: t`Account log`, detail: t`Everything done in this account, for 400 days`, back: '#/security' }),
      place,
      more,
    ),
  );
  const failed = (error) =>
    fill(place, h('p', { class: 'note warn' }, error.offline ? t`Not known without network.` : error.message));
  const load = async (cursor) => {
    const page = await server.ask('GET', `/account/audit?limit=50${cursor ? `&cursor=${cursor}` : ''}`);
    entries = [...(cursor ? entries : []), ...page.items];
    next = page.next;
    more.hidden = !next;
    const days = new Map();
    for (const each of entries) {
      const key = day(Date.parse(each.at));
      days.set(key, [...(days.get(key) ?? []), each]);
    }
    fill(
      place,
      [...days].map(([title, list]) => section({ title }, h('div', { class: 'card' }, list.map(line)))),
    );
  };
  more.onclick = () => load(next).catch(failed);
  const begin = () => {
    if (server.state === 'in') return load().catch(failed);
    more.hidden = true;
    fill(
      place,
      h('p', { class: 'note' }, server.state === 'offline' ? t`Not known without network.` : t`Sign in first.`),
    );
  };
  (server.state === 'in' ? Promise.resolve() : server.look()).then(begin);
  server.addEventListener('change', begin);
  return () => server.removeEventListener('change', begin);
}
