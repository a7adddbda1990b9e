// The past of a phone, from the server: stays, trips and time in zones by day, and imports of old track files.
import { row, section, topBar } from '../../parts/layout.js';
import { modalSheet } from '../../parts/sheet.js';
import { snackbar } from '../../parts/snackbar.js';
import { download } from '../../scripts/files/download.js';
import { fill, h } from '../../scripts/page/dom.js';
import { icon } from '../../scripts/page/icons.js';
import { serverOf } from '../../scripts/server/server.js';
import { date } from '../../scripts/words/locale.js';
import { plural, t } from '../../scripts/words/translate.js';
import * as words from '../../scripts/words/words.js';

/** The most bytes that the server accepts in one request. */
const mostBytes = 32 << 20;
const upload_ms = 600_000;
const look_ms = 1000;

export function show(app, outlet, { query }) {
  const server = serverOf(app);
  const device = query.get('device') ?? '';
  const pane = h('div', { class: 'pane' });
  outlet.append(pane);
  let gone = false;
  let timer;
  /** The last day shown; undefined is today. */
  let last = query.get('to') ?? undefined;

  const picker = h('input', {
    type: 'file',
    hidden: true,
    'aria-label': t`Track file`,
    onchange: () => picker.files[0] && send(picker.files[0]),
  });
  const status = h('div', { role: 'status' });
  const imports = h('div', { class: 'card' });
  const days = h('div', {});

  const nothing = (why) =>
    fill(
      pane,
      topBar({ title: t`Stays and trips`, back: '#/history' }),
      h('p', { class: 'note', role: 'status' }, why),
      h(
        'a',
        { class: 'button wide', href: server.state === 'out' ? '#/account' : '#/history' },
        server.state === 'out' ? t`Account` : t`History`,
      ),
    );

  async function draw() {
    if (server.state !== 'in') await server.look();
    if (gone) return;
    if (server.state === 'none') return nothing(t`This page has no server`);
    if (server.state === 'out') return nothing(t`Sign in first.`);
    const names = await server.ask('GET', '/devices');
    const phone = names.items.find(({ id }) => id === device);
    if (gone) return;
    if (!phone) return nothing(t`This phone is not in your account.`);
    fill(
      pane,
      topBar({ title: t`Stays and trips`, detail: phone?.name, back: `#/history?device=${device}` }),
      days,
      section(
        { title: t`Old tracks` },
        h(
          'p',
          { class: 'footnote' },
          t`Google’s timeline (a phone’s export, or Takeout’s Records.json), OwnTracks .rec, GPX and other tracks. They
            become history: nothing rings, and what is there already is not added again.`,
        ),
        h(
          'button',
          { type: 'button', class: 'button', onclick: () => picker.click() },
          icon('import', { size: 22 }),
          t`Add a file`,
        ),
        picker,
        status,
        imports,
      ),
    );
    await Promise.all([drawDays(), drawImports()]);
  }

  async function drawDays() {
    const range = last ? `?to=${last}` : '';
    const { items } = await server.ask('GET', `/devices/${device}/days${range}`);
    if (gone) return;
    const first = items[0].date;
    const move = (label, to) => h('button', { type: 'button', class: 'button small', onclick: () => go(to) }, label);
    fill(
      days,
      h(
        'div',
        { class: 'sheet-actions' },
        move(t`A week earlier`, shifted(first, -1)),
        last && move(t`A week later`, shifted(items.at(-1).date, 7)),
        h('button', { type: 'button', class: 'button small', onclick: save }, t`Save as CSV`),
      ),
      items.toReversed().map((day) => section({ title: longDay(day.date) }, card(day, app, device))),
    );
  }

  const failed = (error) => {
    if (!gone) snackbar(error.message);
  };
  const go = (to) => {
    last = to;
    drawDays().catch(failed);
  };
  async function save() {
    try {
      const range = last ? `?to=${last}` : '';
      const table = await server.ask('GET', `/devices/${device}/days.csv${range}`, undefined, { bytes: true });
      download(table, 'days.csv', 'text/csv');
    } catch (error) {
      failed(error);
    }
  }

  async function drawImports() {
    const { items } = await server.ask('GET', `/devices/${device}/imports`);
    if (gone) return;
    fill(
      imports,
      items.map((each) =>
        row({
          title: each.name || t`A file`,
          detail: told(each),
          key: each.id,
          low: true,
          trailing: h(
            'button',
            {
              type: 'button',
              class: 'button small',
              'aria-label': t`Remove ${each.name || t`A file`}`,
              onclick: () => remove(each),
            },
            each.state === 'reading' ? t`Stop` : t`Remove`,
          ),
        }),
      ),
    );
    clearTimeout(timer);
    const isReading = items.some(({ state }) => state === 'reading');
    if (isReading) timer = setTimeout(() => look().catch(failed), look_ms);
    return isReading;
  }

  /** Polls while a file is read; afterwards draws the days again. */
  async function look() {
    if (gone || (await drawImports())) return;
    await drawDays();
  }

  async function send(file) {
    picker.value = '';
    fill(status, h('p', { class: 'footnote' }, t`Sending ${file.name}…`));
    try {
      const body = await packed(file);
      if (body.size > mostBytes) {
        const [size, most] = [words.megabytes(body.size), words.megabytes(mostBytes)];
        throw new Error(
          t`${file.name} has ${size} packed, ${most} are allowed here. On the server, “proximity import” reads files of any size.`,
        );
      }
      const name = encodeURIComponent(file.name.slice(0, 200));
      await server.ask('POST', `/devices/${device}/imports?name=${name}`, body, { patience: upload_ms });
      fill(status);
      await look();
    } catch (error) {
      fill(status, h('p', { class: 'problem', role: 'alert' }, error.message));
    }
  }

  function remove(each) {
    const sheet = modalSheet(
      { label: t`Remove this file?` },
      h('h2', { class: 'title-2' }, t`Remove this file?`),
      h(
        'p',
        { class: 'body' },
        plural(each.fixes_added, {
          one: t`One position that came from it is deleted from the history.`,
          other: t`${each.fixes_added} positions that came from it are deleted from the history.`,
        }),
      ),
      h(
        'div',
        { class: 'sheet-actions' },
        h(
          'button',
          {
            type: 'button',
            class: 'button alarm',
            onclick: async () => {
              sheet.close();
              try {
                await server.ask('DELETE', `/devices/${device}/imports/${each.id}`, undefined, {
                  patience: upload_ms,
                });
                await look();
              } catch (error) {
                failed(error);
              }
            },
          },
          t`Remove`,
        ),
        h('button', { type: 'button', class: 'button', onclick: () => sheet.close() }, t`Keep`),
      ),
    );
  }

  draw().catch((error) => {
    if (gone) return;
    fill(
      pane,
      topBar({ title: t`Stays and trips`, back: '#/history' }),
      h('p', { class: 'problem', role: 'alert' }, error.message),
    );
  });
  return () => {
    gone = true;
    clearTimeout(timer);
  };
}

/** The result of an import, in one line. */
function told({ state, share, fixes_added: added, detail }) {
  const count = plural(added, { one: t`One position added`, other: t`${added} positions added` });
  switch (state) {
    case 'reading':
      return [t`Being read: ${words.percent(share ?? 0)}`, count].join(' · ');
    case 'failed':
      return [t`It could not be read`, detail.split('\n')[0]].join(': ');
    case 'stopped':
      return [t`Stopped; add the file again to go on`, count].join(' · ');
    default:
      return count;
  }
}

function card(day, app, device) {
  const name = (id) => app.watched?.find((zone) => zone.id === id)?.name;
  const rows = day.parts.map((part) =>
    row({
      title:
        part.kind === 'stay'
          ? part.zone_ids.map(name).find(Boolean) || t`A stay`
          : part.kind === 'trip'
            ? isWhole(part)
              ? t`A trip of ${words.length(part.length_m)}`
              : t`Part of a trip of ${words.length(part.length_m)}`
            : t`Not known`,
      detail: `${words.clock(Date.parse(part.from))} – ${words.clock(Date.parse(part.to))}`,
      low: true,
      trailing: h('span', { class: 'subhead' }, lasted(part)),
      href:
        part.kind === 'gap'
          ? undefined
          : `#/history?day=${new Date(Date.parse(part.from)).setHours(0, 0, 0, 0)}&device=${device}`,
    }),
  );
  const zones = day.zones.map((zone) =>
    row({
      title: zone.name || t`A zone`,
      detail: t`In the zone`,
      low: true,
      trailing: h('span', { class: 'subhead' }, words.span(zone.seconds)),
    }),
  );
  return h(
    'div',
    { class: 'card' },
    rows.length + zones.length > 0 ? [rows, zones] : h('p', { class: 'footnote padded' }, t`Nothing is known`),
  );
}

/** True if a trip is within one day. A trip across midnight is listed on both days, with its whole length. */
const isWhole = ({ from, to, whole_from: first, whole_to: last }) => (first ?? from) === from && (last ?? to) === to;

const lasted = ({ from, to }) => words.span((Date.parse(to) - Date.parse(from)) / 1000);

/** Noon in UTC, which is the same date in almost all time zones. */
const noon = (text) => Date.parse(`${text}T12:00:00Z`);
const shifted = (text, days) => new Date(noon(text) + days * 86_400_000).toISOString().slice(0, 10);
const longDay = (text) => date(noon(text), { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });

/** Compresses a file with gzip unless it is compressed; most tracks shrink to a tenth. */
async function packed(file) {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isPacked = (head[0] === 0x1f && head[1] === 0x8b) || (head[0] === 0x50 && head[1] === 0x4b);
  if (isPacked) return file;
  return new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).blob();
}
