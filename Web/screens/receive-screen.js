// Zones from a file (S126, S131): what would be added, what would change, what cannot be read, before anything is kept.
import { fill, h } from '../scripts/dom.js';
import { read, take, takePending } from '../scripts/files.js';
import { categoryLook, icon } from '../scripts/icons.js';
import { fieldName, issue } from '../scripts/issue-words.js';
import { styles } from '../scripts/styles.js';
import { count } from '../scripts/words.js';
import { section, tile, topBar } from '../parts/layout.js';
import { snackbar } from '../parts/snackbar.js';
import { fileButton } from './replay-screen.js';

const mostShown = 100;
let kept = null;

export function show(app, outlet) {
  styles('story');
  const pane = h('div', { class: 'pane' });
  outlet.append(pane);
  const look = (content) => { kept = content; draw(); };
  const draw = () => fill(pane, kept ? preview(app, kept, () => look(null)) : empty());
  const arrived = () => { const pending = takePending('zones'); if (pending) look(pending); };
  addEventListener('hashchange', arrived);
  kept = takePending('zones') ?? kept;
  draw();
  return () => removeEventListener('hashchange', arrived);
}

function empty() {
  const problem = h('p', { class: 'problem', role: 'alert' });
  const attempt = (files) => { problem.textContent = ''; take(files).catch((error) => { problem.textContent = error.message; }); };
  const text = h('textarea', { class: 'input', id: 'pasted', rows: 4, placeholder: 'AlertZoneStart\nAlertZoneName,…', spellcheck: 'false', autocapitalize: 'off' });
  return [
    topBar({ title: 'Receive', detail: 'Zones from a file or a mail', back: '#/more' }),
    h('div', { class: 'card empty drop' }, icon('import', { size: 40 }),
      h('p', { class: 'headline' }, 'Choose a file, or drop it here'),
      h('p', { class: 'subhead' }, 'Proximity Alarm Data (.pad), GeoJSON or KML. You see what is in it before anything is added.'),
      fileButton('Choose a file', attempt, { multiple: true }), problem),
    section({ title: 'Or paste it' }, h('div', { class: 'paste' }, h('label', { class: 'footnote', for: 'pasted' }, 'The lines of a .pad file, as they came in a mail'), text,
      h('button', { type: 'button', class: 'button', onclick: () => {
        if (!text.value.trim()) { problem.textContent = 'There is nothing to read yet.'; return; }
        read(new File([text.value], 'pasted.pad')).then((content) => (content.kind === 'zones' ? take([new File([text.value], 'pasted.pad')]) : take([new File([text.value], 'pasted')]))).catch((error) => { problem.textContent = error.message; });
      } }, 'Look at it'))),
  ];
}

function preview(app, { name, zones, issues }, away) {
  const { rows } = app.ask('compare', { zones });
  const of = (status) => rows.filter((row) => row.status === status);
  const [fresh, changed, same, refused] = ['new', 'changed', 'same', 'refused'].map(of);
  const left = issues.filter(({ error }) => error);
  const odd = issues.filter(({ error }) => !error);
  const chosen = new Set([...fresh, ...changed]);
  const add = h('button', { type: 'button', class: 'button primary wide', id: 'add', onclick: () => addThem(app, chosen, name, away, add) });
  const say = () => {
    const [more, other] = [[...chosen].filter(({ status }) => status === 'new').length, [...chosen].filter(({ status }) => status === 'changed').length];
    add.textContent = [more && `Add ${count(more, 'zone')}`, other && `${more ? 'change' : 'Change'} ${more ? other.toLocaleString('en') : count(other, 'zone')}`].filter(Boolean).join(', ') || 'Nothing to add';
    add.disabled = chosen.size === 0;
  };
  say();
  const box = (row) => h('input', { type: 'checkbox', class: 'check', checked: chosen.has(row), onchange: (event) => { if (event.target.checked) chosen.add(row); else chosen.delete(row); say(); } });
  const list = (title, found, detail, selectable) => found.length > 0 && section({ title, count: found.length }, h('div', { class: 'card', 'data-part': title }, found.slice(0, mostShown).map((row) => {
    const { picture, colour } = categoryLook(row.form.category);
    const inner = [tile(picture, colour), h('span', { class: 'grow' }, h('span', { class: 'headline' }, row.form.name || 'A zone'), h('span', { class: 'subhead wrap' }, detail(row)))];
    return selectable ? h('label', { class: 'row' }, inner, box(row)) : h('div', { class: 'row' }, inner);
  })), found.length > mostShown && h('p', { class: 'footnote' }, `and ${(found.length - mostShown).toLocaleString('en')} more`));
  const remark = ({ line, zone, why }) => h('div', { class: 'row low' }, h('span', { class: 'grow' },
    h('span', { class: 'headline' }, zone || 'The file'), h('span', { class: 'subhead wrap' }, issue(why))), line && h('span', { class: 'trailing footnote number' }, `line ${line.toLocaleString('en')}`));
  const remarks = (title, found, wrong) => found.length > 0 && section({ title, count: found.length }, h('div', { class: `card${wrong ? ' wrong' : ''}`, 'data-part': title }, found.slice(0, mostShown).map(remark)),
    found.length > mostShown && h('p', { class: 'footnote' }, `and ${(found.length - mostShown).toLocaleString('en')} more`));
  return [
    topBar({ title: 'Receive', detail: name, trailing: [h('button', { type: 'button', class: 'round bare', 'aria-label': 'Put it away', onclick: away }, icon('close'))] }),
    h('p', { class: 'summary' }, [fresh.length && h('span', { class: 'tag primary' }, `${fresh.length.toLocaleString('en')} new`), changed.length && h('span', { class: 'tag warn' }, `${changed.length.toLocaleString('en')} changed`),
      same.length && h('span', { class: 'tag' }, `${same.length.toLocaleString('en')} the same`), (refused.length || left.length) > 0 && h('span', { class: 'tag alarm' }, `${(refused.length + left.length).toLocaleString('en')} refused`)].filter(Boolean)),
    add,
    list('New', fresh, summary, true),
    list('Changed', changed, ({ fields }) => `${fields.map(fieldName).join(', ')} will be as in the file`, true),
    remarks('Left out', [...refused.map(({ name: zone, field, why }) => ({ zone, why: field ? `${fieldName(field)} ${issue(why)}` : why })), ...left], true),
    remarks('Odd, but read', odd),
    same.length > 0 && h('p', { class: 'footnote' }, `${count(same.length, 'zone is', 'zones are')} here already, just the same.`),
  ];
}

function summary({ form }) {
  const places = form.outline === 'area' ? form.parts.flat().reduce((sum, ring) => sum + ring.length, 0) : form.places.length;
  const shape = form.outline === 'area' ? `area of ${count(places, 'point')}` : form.outline === 'path' ? `path of ${count(places, 'point')}` : places === 1 ? 'circle' : places === 2 ? 'capsule' : `area of ${count(places, 'point')}`;
  return [form.category, shape, !form.active && 'off'].filter(Boolean).join(' · ');
}

async function addThem(app, chosen, name, away, button) {
  button.disabled = true;
  const rows = [...chosen];
  const before = rows.filter(({ status }) => status === 'changed').map(({ form }) => app.zones.get(form.id)).filter(Boolean);
  const added = rows.filter(({ status }) => status === 'new').map(({ form }) => form.id);
  try { await app.putZones(...rows.map(({ form }) => form)); } catch (error) {
    button.disabled = false;
    snackbar(`Not added: ${error.message}`);
    return;
  }
  away();
  snackbar(`${[added.length && `${count(added.length, 'zone')} added`, before.length && `${before.length.toLocaleString('en')} changed`].filter(Boolean).join(', ')} from ${name}`, {
    undo: async () => { if (added.length) await app.removeZones(...added); if (before.length) await app.putZones(...before); },
  });
  location.hash = '#/zones';
}
