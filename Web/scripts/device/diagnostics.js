// What can be found out of how well the page works on this device: for its user, and, copied, for whoever helps. No place,
// no name, no word that a person wrote is among it.
import * as notifications from '../alarm/notifications.js';
import { serverOf } from '../server/server.js';
import { liveOf } from '../server/signed-in.js';
import { syncOf } from '../server/sync.js';
import { version } from '../version.js';
import { t } from '../words/translate.js';
import { watchWords } from '../words/watch-words.js';
import * as words from '../words/words.js';
import { permission } from './permissions.js';
import { WakeLock } from './wake-lock.js';

const patience_ms = 5_000;

/** Follows the clock against the time that passed, which no setting changes: from the beginning of the page on. */
const began = { clock: Date.now(), passed: performance.now() };
const drift_s = () => Math.round((Date.now() - began.clock - (performance.now() - began.passed)) / 1000);

/** One finding; `good` is false where something keeps alarms from working, undefined where it is neither. */
const finding = (name, text, good) => ({ name, text, good });

/**
 * @param {{right?: boolean, positions?: number, events?: number, problem?: string}} [check] what the engine's self-check found;
 *   nothing while it is under way
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
    ['Alarms', [...alarms(app), selfCheck(check)]],
    ['Versions', parts[0]],
    ['Permissions', parts[1]],
    ['Position', parts[2]],
    ['Device', parts[3]],
    ['Storage', parts[4]],
    ['Server', parts[5]],
  ].map(([title, findings]) => ({ title, findings }));
}

/** The same as text, a line each. */
export function asText(sections, now = new Date()) {
  return [
    `Proximity Alarm, diagnostics of ${now.toISOString()}`,
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
      'State',
      kind === 'ringing' ? title : (obstacle?.detail ?? promise?.text ?? title),
      kind === 'off' ? undefined : !obstacle,
    ),
    finding(
      'Zones',
      `${obstacle ? 0 : report.watching} watched of ${report.total}; ${report.refused_zones.length} cannot be watched`,
      report.refused_zones.length ? false : undefined,
    ),
    finding('Alarms that are not over', String(report.alarms.length + (app.ringing?.phones.length ?? 0))),
  ];
}

/** Recorded journeys, replayed on this device. */
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
    ? ['not supported', false]
    : !registration
      ? ['not installed', undefined]
      : [
          registration.waiting
            ? 'a newer version waits'
            : registration.active
              ? `active${navigator.serviceWorker.controller ? '' : ', not in control of this page'}`
              : 'being installed',
          true,
        ];
  const engine = await engineVersion(app);
  return [
    finding('Page', `${version}${build ? `, build ${build}` : ''}`),
    finding(
      'Engine',
      engine ?? 'does not answer',
      engine === undefined ? false : engine === version ? true : undefined,
    ),
    finding('Service worker', ...worker),
    finding('Browser', navigator.userAgent),
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
    granted: 'allowed',
    denied: 'not allowed',
    prompt: 'not asked yet',
    default: 'not asked yet',
    unavailable: 'not supported',
  };
  const state = (word) => [
    said[word] ?? word,
    word === 'granted' ? true : word === 'denied' || word === 'unavailable' ? false : undefined,
  ];
  return [
    finding('Location', ...state(location)),
    finding('Notifications', ...state(notifications.isPossible() ? shown : 'unavailable')),
    finding('Positions', app.positioning),
    finding(
      t`Encrypted connection`,
      isSecureContext ? t`yes` : t`no: the browser gives no positions without it`,
      isSecureContext,
    ),
    finding(t`Region monitoring`, t`no browser has it: zones are watched only while this page is in view`),
  ];
}

function position(app) {
  const { position: last, listens } = app.report;
  return [
    finding('Listening', listens ? 'yes' : 'no: alarms are off'),
    last
      ? finding('Last position', `${words.span(Math.max(0, (app.now - last.measured_ms) / 1000))} ago`)
      : finding('Last position', 'none', listens ? false : undefined),
    finding(
      'Accuracy',
      !last ? 'none' : last.accuracy_m === undefined ? 'not stated' : `±${words.length(last.accuracy_m)}`,
    ),
  ];
}

function device(app) {
  const { wakeLock } = app;
  const jumped = drift_s();
  return [
    finding(
      'Screen',
      !WakeLock.isPossible
        ? 'cannot be kept on by this browser'
        : wakeLock.isHeld
          ? 'kept on'
          : wakeLock.isWanted
            ? 'not kept on now'
            : 'may go off',
      wakeLock.isHeld || undefined,
    ),
    finding(
      'Battery',
      wakeLock.battery ? `${wakeLock.battery.percent} %${wakeLock.battery.charging ? ', charging' : ''}` : 'not told',
    ),
    finding('Clock', `${new Date(app.now).toISOString()}, ${Intl.DateTimeFormat().resolvedOptions().timeZone}`),
    finding(
      'Clock since the page began',
      Math.abs(jumped) < 2 ? 'steady' : `jumped by ${jumped} s`,
      Math.abs(jumped) < 2,
    ),
    finding('Network', navigator.onLine ? 'online' : 'offline'),
    finding('Page', document.visibilityState === 'visible' ? 'in view' : 'hidden'),
  ];
}

async function storage(app) {
  const { usage, quota } = (await navigator.storage?.estimate?.().catch(() => ({}))) ?? {};
  const persisted = await navigator.storage?.persisted?.().catch(() => undefined);
  const size = (bytes) => (bytes === undefined ? 'not told' : `${(bytes / 1e6).toFixed(1)} MB`);
  const error = await tryStorage(app);
  return [
    finding('Database', error ?? 'can be written and read', error === undefined),
    finding('Used', `${size(usage)} of ${size(quota)}`, usage > 0.9 * quota ? false : undefined),
    finding(
      'Kept when space is short',
      persisted === undefined ? 'not told' : persisted ? 'yes' : 'the browser may delete it',
      persisted || undefined,
    ),
  ];
}

/** Writes and reads back. @returns {Promise<string|undefined>} what went wrong */
async function tryStorage({ storage }) {
  try {
    const mark = Date.now();
    await storage.keep('diagnostics', mark);
    return (await storage.kept('diagnostics')) === mark ? undefined : 'does not give back what was written';
  } catch (error) {
    return error.message;
  }
}

async function account(app) {
  const server = serverOf(app);
  const answer = await askServer();
  const findings = [
    finding('Reachable', answer.problem ?? 'yes', answer.isOurs ? true : server.signedIn ? false : undefined),
    finding('Version', answer.version ?? 'not told', answer.version && answer.version !== version ? false : undefined),
    finding(
      'Account',
      {
        in: 'signed in',
        offline: 'signed in, the server cannot be reached',
        out: 'signed out',
        none: 'none',
        unknown: 'none',
      }[server.state],
      server.state === 'offline' ? false : undefined,
    ),
  ];
  if (!server.signedIn) return findings;
  const [sync, live] = await Promise.all([syncOf(app), liveOf(app)]);
  return [
    ...findings,
    finding('Live events', live.isOpen ? 'connected' : 'not connected', live.isOpen),
    finding(
      'Last sync',
      sync.doneAt ? `${words.span((app.now - sync.doneAt) / 1000)} ago` : 'none since the page began',
    ),
    finding(
      'Sync',
      { busy: 'under way', done: 'done', waiting: 'waits for the network', failed: 'failed', off: 'off' }[sync.state] ??
        sync.state,
      sync.state !== 'failed',
    ),
    finding('Edits not sent', String(sync.waiting), sync.waiting ? undefined : true),
    finding('Edits the server refused', String(sync.refused.length), !sync.refused.length),
  ];
}

async function askServer() {
  try {
    const answer = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(patience_ms) });
    const { status, version: theirs } = await answer.json().catch(() => ({}));
    return status === 'ok' ? { isOurs: true, version: theirs } : { problem: 'this page came from a plain file server' };
  } catch {
    return { problem: 'no answer' };
  }
}
