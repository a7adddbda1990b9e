// Findings on how well the page works on this device: for its user and, as a copied text, for anybody who helps. They contain no
// place, no name and no word that a person wrote.
import * as notifications from '../alarm/notifications.js';
import { serverOf } from '../server/server.js';
import { liveOf } from '../server/signed-in.js';
import { syncOf } from '../server/sync.js';
import { comesOut } from '../sounds/sounds.js';
import { version } from '../version.js';
import { t } from '../words/translate.js';
import { watchWords } from '../words/watch-words.js';
import * as words from '../words/words.js';
import { permission } from './permissions.js';
import { phone } from './phone-app.js';
import { WakeLock } from './wake-lock.js';

const patience_ms = 5_000;

/** The start of the comparison between the clock and the elapsed time, which no setting changes. */
const began = { clock: Date.now(), passed: performance.now() };
const drift_s = () => Math.round((Date.now() - began.clock - (performance.now() - began.passed)) / 1000);

/** A finding; `good` is false if it keeps alarms from working, undefined if it is neither good nor bad. */
const finding = (name, text, good) => ({ name, text, good });

/**
 * @param {{right?: boolean, positions?: number, events?: number, problem?: string}} [check] the result of the engine's self-check;
 *   undefined while it is running
 * @returns {Promise<{title: string, findings: {name: string, text: string, good?: boolean}[]}[]>}
 */
export async function diagnose(app, check) {
  const parts = await Promise.all([
    versions(app),
    allowed(app),
    position(app),
    device(app),
    storage(app),
    account(app),
  ]);
  return [
    [t`Alarms`, [...alarms(app), selfCheck(check)]],
    [t`Versions`, parts[0]],
    [t`Permissions`, parts[1]],
    [t`Position`, parts[2]],
    [t`Device`, parts[3]],
    [t`Storage`, parts[4]],
    [t`Server`, parts[5]],
  ].map(([title, findings]) => ({ title, findings }));
}

/** The findings as text, a line each. */
export function asText(sections, now = new Date()) {
  return [
    t`Proximity Alarm, diagnostics of ${now.toISOString()}`,
    ...sections.flatMap(({ title, findings }) => [
      '',
      title,
      ...findings.map(({ name, text }) => `  ${name}: ${text}`),
    ]),
  ].join('\n');
}

function alarms(app) {
  const { report } = app;
  const { kind, title, obstacle, promise } = watchWords(app);
  return [
    finding(
      t`State`,
      kind === 'ringing' ? title : (obstacle?.detail ?? promise?.text ?? title),
      kind === 'off' ? undefined : !obstacle,
    ),
    finding(
      t`Zones`,
      t`${obstacle ? 0 : report.watching} watched of ${report.total}; ${report.refused_zones.length} cannot be watched`,
      report.refused_zones.length ? false : undefined,
    ),
    sound(app.ringing),
    finding(t`Alarms that are not over`, String(report.alarms.length + (app.ringing?.phones.length ?? 0))),
  ];
}

function sound(ringing) {
  if (!ringing || ringing.isElsewhere) return finding(t`Sound`, t`comes from elsewhere: the app, or another tab`);
  return ringing.isHeldBack
    ? finding(t`Sound`, t`held back by the browser until the page is tapped`, false)
    : comesOut()
      ? finding(t`Sound`, t`can be heard`, true)
      : finding(t`Sound`, t`not known yet`);
}

/** The result of replaying recorded journeys on this device. */
function selfCheck(check) {
  const name = t`Engine self-check`;
  if (!check) return finding(name, t`under way`);
  if (check.problem) return finding(name, t`not possible: ${check.problem}`);
  return check.right
    ? finding(name, t`${check.events} events of ${check.positions} recorded positions came out right`, true)
    : finding(name, t`alarms come out wrong in this browser: do not rely on it, and update the browser`, false);
}

async function versions(app) {
  const build = (await globalThis.caches?.keys().catch(() => []))?.find((name) => name.startsWith('page-'))?.slice(5);
  const registration = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  const worker = !navigator.serviceWorker
    ? [t`not supported`, false]
    : !registration
      ? [t`not installed`, undefined]
      : [
          registration.waiting
            ? t`a newer version waits`
            : registration.active
              ? navigator.serviceWorker.controller
                ? t`active`
                : t`active, not in control of this page`
              : t`being installed`,
          true,
        ];
  const engine = await engineVersion(app);
  return [
    finding(t`Page`, build ? t`${version}, build ${build}` : version),
    finding(
      t`Engine`,
      engine ?? t`does not answer`,
      engine === undefined ? false : engine === version ? true : undefined,
    ),
    // An app contains the page's files and needs no service worker.
    ...(phone ? [] : [finding(t`Service worker`, ...worker)]),
    finding(t`Browser`, navigator.userAgent),
  ];
}

async function engineVersion(app) {
  let late;
  const begun = await Promise.race([
    app.begun.then(() => true),
    new Promise((done) => {
      late = setTimeout(done, patience_ms, false);
    }),
  ]);
  clearTimeout(late);
  try {
    return begun ? app.ask('version').version : undefined;
  } catch {
    return undefined;
  }
}

async function allowed(app) {
  const [location, shown] = await Promise.all([permission('geolocation'), permission('notifications')]);
  const said = {
    granted: t`allowed`,
    denied: t`not allowed`,
    prompt: t`not asked yet`,
    default: t`not asked yet`,
    unavailable: t`not supported`,
  };
  const state = (word) => [
    said[word] ?? word,
    word === 'granted' ? true : word === 'denied' || word === 'unavailable' ? false : undefined,
  ];
  return [
    finding(t`Location`, ...state(location)),
    finding(t`Notifications`, ...state(notifications.isPossible() ? shown : 'unavailable')),
    finding(t`Positions`, positioning[app.positioning] ?? app.positioning),
    finding(
      t`Encrypted connection`,
      isSecureContext ? t`yes` : t`no: the browser gives no positions without it`,
      isSecureContext,
    ),
    finding(t`Region monitoring`, t`no browser has it: zones are watched only while this page is in view`),
  ];
}

const positioning = {
  unknown: t`not asked for`,
  asking: t`asked for`,
  granted: t`coming`,
  denied: t`not allowed`,
  unavailable: t`not available`,
};

function position(app) {
  const { position: last, listens } = app.report;
  return [
    finding(t`Listening`, listens ? t`yes` : t`no: alarms are off`),
    last
      ? finding(t`Last position`, words.ago((app.now - last.measured_ms) / 1000))
      : finding(t`Last position`, t`none`, listens ? false : undefined),
    finding(
      t`Accuracy`,
      !last ? t`none` : last.accuracy_m === undefined ? t`not stated` : `±${words.length(last.accuracy_m)}`,
    ),
  ];
}

function device(app) {
  const { wakeLock } = app;
  const jumped = drift_s();
  return [
    finding(
      t`Screen`,
      !WakeLock.isPossible
        ? t`cannot be kept on by this browser`
        : wakeLock.isHeld
          ? t`kept on`
          : wakeLock.isWanted
            ? t`not kept on now`
            : t`may go off`,
      wakeLock.isHeld || undefined,
    ),
    finding(
      t`Battery`,
      wakeLock.battery ? words.battery(wakeLock.battery.percent / 100, wakeLock.battery.charging) : t`not told`,
    ),
    finding(t`Clock`, `${new Date(app.now).toISOString()}, ${Intl.DateTimeFormat().resolvedOptions().timeZone}`),
    finding(
      t`Clock since the page began`,
      Math.abs(jumped) < 2 ? t`steady` : t`jumped by ${jumped} s`,
      Math.abs(jumped) < 2,
    ),
    finding(t`Network`, navigator.onLine ? t`online` : t`offline`),
    finding(t`Page`, document.visibilityState === 'visible' ? t`in view` : t`hidden`),
  ];
}

async function storage(app) {
  const { usage, quota } = (await navigator.storage?.estimate?.().catch(() => ({}))) ?? {};
  const persisted = await navigator.storage?.persisted?.().catch(() => undefined);
  const size = (bytes) => (bytes === undefined ? t`not told` : words.megabytes(bytes));
  const error = await tryStorage(app);
  return [
    finding(t`Database`, error ?? t`can be written and read`, error === undefined),
    finding(t`Used`, t`${size(usage)} of ${size(quota)}`, usage > 0.9 * quota ? false : undefined),
    finding(
      t`Kept when space is short`,
      persisted === undefined ? t`not told` : persisted ? t`yes` : t`the browser may delete it`,
      persisted || undefined,
    ),
  ];
}

/** Writes to the storage and reads back. @returns {Promise<string|undefined>} the error, if any */
async function tryStorage({ storage }) {
  try {
    const mark = Date.now();
    await storage.keep('diagnostics', mark);
    return (await storage.kept('diagnostics')) === mark ? undefined : t`does not give back what was written`;
  } catch (error) {
    return error.message;
  }
}

async function account(app) {
  const server = serverOf(app);
  const answer = phone ? await askRemote(server) : await askServer();
  const findings = [
    finding(t`Reachable`, answer.problem ?? t`yes`, answer.isOurs ? true : server.signedIn ? false : undefined),
    finding(
      t`Version`,
      answer.version ?? t`not told`,
      answer.version && answer.version !== version ? false : undefined,
    ),
    finding(
      t`Account`,
      {
        in: t`signed in`,
        offline: t`signed in, the server cannot be reached`,
        out: t`signed out`,
        none: t`no account`,
        unknown: t`no account`,
      }[server.state],
      server.state === 'offline' ? false : undefined,
    ),
  ];
  if (!server.signedIn) return findings;
  const [sync, live] = await Promise.all([syncOf(app), liveOf(app)]);
  return [
    ...findings,
    finding(t`Live events`, live.isOpen ? t`connected` : t`not connected`, live.isOpen),
    finding(t`Last sync`, sync.doneAt ? words.ago((app.now - sync.doneAt) / 1000) : t`none since the page began`),
    finding(
      t`Sync`,
      {
        busy: t`under way`,
        done: t`done`,
        waiting: t`waits for the network`,
        failed: t`failed`,
        off: t.meaning('a switch')`off`,
      }[sync.state] ?? sync.state,
      sync.state !== 'failed',
    ),
    finding(t`Edits not sent`, String(sync.waiting), sync.waiting ? undefined : true),
    finding(t`Edits the server refused`, String(sync.refused.length), !sync.refused.length),
  ];
}

/** In an app, which may not read `/healthz` of another origin. */
async function askRemote(server) {
  await server.found;
  if (!server.home) return { problem: t`none was named` };
  try {
    await server.ask('GET', '/login');
    return { isOurs: true };
  } catch (error) {
    return { problem: error.message };
  }
}

async function askServer() {
  try {
    const answer = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(patience_ms) });
    const { status, version: theirs } = await answer.json().catch(() => ({}));
    return status === 'ok'
      ? { isOurs: true, version: theirs }
      : { problem: t`this page came from a plain file server` };
  } catch {
    return { problem: t`no answer` };
  }
}
