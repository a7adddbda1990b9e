// Zones from a file (S126, S131): shows additions, changes and errors before anything is stored.
import { zoneFormats } from '../../scripts/files/formats.js';
import { mostZones, take, takePending } from '../../scripts/files/files.js';
import { go, nextScreen } from '../../scripts/page/address.js';
import { fill, h } from '../../scripts/page/dom.js';
import { categoryLook, icon } from '../../scripts/page/icons.js';
import { styles } from '../../scripts/page/styles.js';
import { fieldName, issue } from '../../scripts/words/issue-words.js';
import { list as joined, number as written } from '../../scripts/words/locale.js';
import { plural, t } from '../../scripts/words/translate.js';
import { count } from '../../scripts/words/words.js';
import { progressSheet } from '../../parts/import-sheet.js';
import { section, tile, topBar } from '../../parts/layout.js';
import { snackbar } from '../../parts/snackbar.js';
import { fileButton } from '../history/replay-screen.js';

let kept = null;

export function show(app, outlet) {
  styles('story');
  const pane = h('div', { class: 'pane' });
  outlet.append(pane);
  const look = (content) => {
    if (kept !== content) kept?.source.end();
    kept = content;
    draw();
  };
  const draw = () => fill(pane, kept ? preview(app, kept, () => look(null)) : empty(app));
  const arrived = () => {
    const pending = takePending('zones');
    if (pending) look(pending);
  };
  addEventListener('hashchange', arrived);
  kept = takePending('zones') ?? kept;
  draw();
  return () => removeEventListener('hashchange', arrived);
}

function empty(app) {
  const problem = h('p', { class: 'problem', role: 'alert' });
  const attempt = (files) => {
    problem.textContent = '';
    take(app, files).catch((error) => {
      problem.textContent = error.message;
    });
  };
  const text = h('textarea', {
    class: 'input',
    id: 'pasted',
    rows: 4,
    placeholder: 'AlertZoneStart\nAlertZoneName,…',
    spellcheck: 'false',
    autocapitalize: 'off',
  });
  return [
    topBar({ title: t`Receive`, detail: t`Zones from a file or a mail`, back: '#/more' }),
    h(
      'div',
      { class: 'card empty drop' },
      icon('import', { size: 40 }),
      h('p', { class: 'headline' }, t`Choose a file, or drop it here`),
      h(
        'p',
        { class: 'subhead' },
        t`${joined(zoneFormats, { type: 'disjunction' })}. You see what is in it before anything is added.`,
      ),
      fileButton(t`Choose a file`, attempt, { multiple: true }),
      problem,
    ),
    section(
      { title: t`Or paste it` },
      h(
        'div',
        { class: 'paste' },
        h('label', { class: 'footnote', for: 'pasted' }, t`The lines of a .pad file, as they came in a mail`),
        text,
        h(
          'button',
          {
            type: 'button',
            class: 'button',
            onclick: () => {
              if (!text.value.trim()) {
                problem.textContent = t`There is nothing to read yet.`;
                return;
              }
              attempt([new File([text.value], 'pasted.pad')]);
            },
          },
          t`Check it`,
        ),
      ),
    ),
  ];
}

function preview(app, content, away) {
  const { name, counts, shown, odd, left } = content;
  /** Rows that the person has deselected; rows that are not shown count as selected. */
  const without = new Set();
  const add = h('button', {
    type: 'button',
    class: 'button primary wide',
    id: 'add',
    onclick: () =>
      addThem(
        app,
        content,
        [...without].map(({ form }) => form.id),
        away,
        add,
      ),
  });
  const wanted = (status) => counts[status] - [...without].filter((row) => row.status === status).length;
  const say = () => {
    const [more, other] = [wanted('new'), wanted('changed')];
    add.textContent =
      [more && t`Add ${count(more, 'zone')}`, other && (more ? t`change ${other}` : t`Change ${count(other, 'zone')}`)]
        .filter(Boolean)
        .join(', ') || t`Nothing to add`;
    add.disabled = more + other === 0;
  };
  say();
  const box = (row) =>
    h('input', {
      type: 'checkbox',
      class: 'check',
      checked: true,
      onchange: (event) => {
        if (event.target.checked) without.delete(row);
        else without.add(row);
        say();
      },
    });
  const further = (whole, there) => whole > there && h('p', { class: 'footnote' }, t`and ${whole - there} more`);
  const list = (title, status, detail) =>
    counts[status] > 0 &&
    section(
      { title },
      h(
        'div',
        { class: 'card', 'data-part': title },
        shown[status].map((row) => {
          const { picture, colour } = categoryLook(row.form.category);
          return h(
            'label',
            { class: 'row' },
            tile(picture, colour),
            h(
              'span',
              { class: 'grow' },
              h('span', { class: 'headline name' }, row.form.name || t`A zone`),
              h('span', { class: 'subhead wrap' }, detail(row)),
            ),
            box(row),
          );
        }),
      ),
      further(counts[status], shown[status].length),
    );
  const remark = ({ line, zone, why }) =>
    h(
      'div',
      { class: 'row low' },
      h(
        'span',
        { class: 'grow' },
        h('span', { class: 'headline' }, zone || t`The file`),
        h('span', { class: 'subhead wrap' }, why),
      ),
      line && h('span', { class: 'trailing footnote number' }, t`line ${line}`),
    );
  const remarks = (title, whole, found, wrong) =>
    whole > 0 &&
    section(
      { title, count: whole },
      h('div', { class: `card${wrong ? ' wrong' : ''}`, 'data-part': title }, found.map(remark)),
      further(whole, found.length),
    );
  const said = (each) => ({ ...each, why: issueOf(each) });
  const refused = shown.refused.map(({ name: zone, field, why }) => ({
    zone,
    why: field ? `${fieldName(field)} ${issue(why)}` : issue(why),
  }));
  const tag = (number, kind, text) => number > 0 && h('span', { class: `tag ${kind}` }, `${written(number)} ${text}`);
  return [
    topBar({
      title: t`Receive`,
      detail: name,
      trailing: [
        h(
          'button',
          { type: 'button', class: 'round bare', 'aria-label': t`Close this file`, onclick: away },
          icon('close'),
        ),
      ],
    }),
    // Counts zones; a value that was left out of a zone counts as a line.
    h(
      'p',
      { class: 'summary' },
      [
        tag(counts.new, 'primary', t`new`),
        tag(counts.changed, 'warn', t`changed`),
        tag(counts.same, '', t`the same`),
        tag(counts.refused, 'alarm', t`refused`),
        tag(left.count, 'warn', plural(left.count, { one: t`value left out`, other: t`values left out` })),
      ].filter(Boolean),
    ),
    add,
    list(t`New`, 'new', summary),
    list(t`Changed`, 'changed', ({ fields }) => t`${fields.map(fieldName).join(', ')} will be as in the file`),
    remarks(t`Left out`, counts.refused + left.count, [...refused, ...left.first.map(said)], true),
    remarks(t`Unusual, but read`, odd.count, odd.first.map(said)),
    counts.same > 0 &&
      h(
        'p',
        { class: 'footnote' },
        plural(counts.same, {
          one: t`${counts.same} zone is here already, just the same.`,
          other: t`${counts.same} zones are here already, just the same.`,
        }),
      ),
  ];
}

/** An edge is named by the points that it joins. */
const edge = (from, points) => `${from + 1}-${((from + 1) % points) + 1}`;
const issueOf = ({ why, edges, points }) =>
  why === 'edges_cross'
    ? t`edge ${edge(edges[0], points)} crosses edge ${edge(edges[1], points)}; points inside an odd number of loops count as
      inside`
    : issue(why);

function summary({ form }) {
  const places =
    form.outline === 'area' ? form.parts.flat().reduce((sum, ring) => sum + ring.length, 0) : form.places.length;
  const area = () => plural(places, { one: t`area of ${places} point`, other: t`area of ${places} points` });
  const shape =
    form.outline === 'area'
      ? area()
      : form.outline === 'path'
        ? plural(places, { one: t`path of ${places} point`, other: t`path of ${places} points` })
        : places === 1
          ? t`circle`
          : places === 2
            ? t`capsule`
            : area();
  return [form.category, shape, !form.active && t.meaning('a switch')`off`].filter(Boolean).join(' · ');
}

async function addThem(app, content, without, away, button) {
  button.disabled = true;
  const { name, source, counts, ids } = content;
  const left = new Set(without);
  const before = ids.changed
    .filter((id) => !left.has(id))
    .map((id) => app.zones.get(id))
    .filter(Boolean);
  const changed = new Set(before.map(({ id }) => id));
  const added = [];
  const whole = counts.new + counts.changed - left.size;
  if (app.zones.size + whole - before.length > mostZones) {
    snackbar(
      t`Not added: this page watches at most ${mostZones} zones, and has
        ${app.zones.size}.`,
    );
    button.disabled = false;
    return;
  }
  let told = () => {};
  const done = progressSheet(
    { title: t`Adding ${count(whole, 'zone')}`, detail: t`Alarms go on meanwhile.` },
    (tell) => {
      told = tell;
    },
  );
  try {
    await app.putMany(
      (async function* batches() {
        let read = 0;
        for await (const { forms } of source.forms(without)) {
          for (const { id } of forms) if (!changed.has(id)) added.push(id);
          read += forms.length;
          told(read / whole, t`${read} of ${whole}`);
          yield forms;
        }
      })(),
    );
  } catch (error) {
    button.disabled = false;
    const kept = added.filter((id) => app.zones.has(id)).length;
    snackbar(
      kept
        ? t`${count(kept, 'zone')} of ${whole} added, then it ended: ${error.message}`
        : t`Not added: ${error.message}`,
    );
    return;
  } finally {
    done();
  }
  away();
  if (location.hash !== '#/zones') {
    const there = nextScreen();
    go('/zones');
    await there;
  }
  const result = [
    added.length && plural(added.length, { one: t`${added.length} zone added`, other: t`${added.length} zones added` }),
    before.length && t`${before.length} changed`,
  ];
  snackbar(t`${result.filter(Boolean).join(', ')} from ${name}`, {
    undo: async () => {
      if (added.length) await app.removeMany(added);
      if (before.length) await app.putZones(...before);
    },
  });
}
