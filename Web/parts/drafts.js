// Input that is not saved yet: kept while it is edited, so that it outlives Back, a reload, a tab that the browser discards and an
// update of the page. Saving ends it, and so does the person's word. Kept apart from all else, as it has to be written at once.
import { replace } from '../scripts/page/address.js';
import { t } from '../scripts/words/translate.js';
import { snackbar } from './snackbar.js';

const prefix = 'draft ';
/** Drafts that the browser does not keep: they live as long as the page. */
const held = new Map();
const random = () => Math.random().toString(36).slice(2);

/** This tab, which a reload does not change. */
const tab = (() => {
  try {
    return (sessionStorage.tab ??= random());
  } catch {
    return random();
  }
})();

function write(name, text) {
  try {
    localStorage.setItem(name, text);
    held.delete(name);
  } catch {
    held.set(name, text);
  }
}
function remove(name) {
  held.delete(name);
  try {
    localStorage.removeItem(name);
  } catch {
    // Nothing is kept there.
  }
}
function names() {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(prefix) && !held.has(name));
  } catch {
    return [];
  }
}

/** A text that is cut, as by a full disk, or was removed meanwhile, is no draft. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Drafts of editors that are open in this page. */
const open = new Set();

/** Drafts whose key begins so, of no open editor: those of this tab first, the newest first. @returns {{name, key, value, tab, at}[]} */
function drafts(beginning) {
  const all = [...names().map((name) => [name, localStorage.getItem(name)]), ...held];
  return all
    .map(([name, text]) => ({ ...parsed(text), name, key: name.slice(prefix.length, name.lastIndexOf(' ')) }))
    .filter(({ value }) => value !== undefined)
    .filter(({ name, key }) => key.startsWith(beginning) && !open.has(name))
    .sort((a, b) => (b.tab === tab) - (a.tab === tab) || b.at - a.at);
}

/** True where there is one under this key. */
export const isDrafted = (key) => drafts(key).some((each) => each.key === key);

/** Forgets all drafts of this browser. */
export function forgetDrafts() {
  for (const name of [...names(), ...held.keys()]) remove(name);
}

/** Drafts that were offered since the page was loaded. */
const offered = new Set();
function offer(name, resume) {
  offered.add(name);
  snackbar(t`Changes not saved`, { action: { label: t`Continue editing`, run: resume } });
}

/**
 * Offers the newest draft whose key begins so, once: for screens that lead to its editor.
 * @param {(draft: {key: string, value}) => void} resume opens the editor, which continues with the draft
 */
export function offerDraft(beginning, resume) {
  const [found] = drafts(beginning);
  if (found && !offered.has(found.name)) offer(found.name, () => resume(found));
}

/** Offers a draft whose key ends as the `data-key` of the button that opens its sheet. */
export const offerSheet = (beginning) =>
  offerDraft(beginning, ({ key }) =>
    document.querySelector(`[data-key="${CSS.escape(key.slice(key.lastIndexOf('/') + 1))}"]`)?.click(),
  );

/** The draft of one editor. Two editors of one thing, as in two tabs, have a draft each. */
export class Draft {
  /** The input that was left unsaved under this key, for the editor to continue with. */
  found;
  #key;
  #name;
  #text;
  /** The draft that was found and the one that was kept last, as text: another tab may have kept the same. */
  #same = new Set();

  /** @param {string} key what is edited @param {{isFresh?: boolean}} [how] `isFresh`: leaves alone what there is */
  constructor(key, { isFresh = false } = {}) {
    this.#key = key;
    this.#name = `${prefix}${key} ${random()}`;
    const before = isFresh ? undefined : drafts(key).find((each) => each.key === key);
    if (before) {
      this.found = before.value;
      this.#same.add(JSON.stringify(before.value));
      this.keep(before.value);
      // A tab that has it open still writes it again.
      remove(before.name);
    }
    open.add(this.#name);
    addEventListener('pagehide', this.#leaving);
    document.addEventListener('visibilitychange', this.#leaving);
  }

  get isKept() {
    return this.#text !== undefined;
  }

  /** @param value what JSON can write; undefined where nothing differs from what is saved */
  keep(value) {
    this.#text = value === undefined ? undefined : JSON.stringify({ tab, at: Date.now(), value });
    if (this.isKept) write(this.#name, this.#text);
    else remove(this.#name);
  }

  /** It is saved, or given up. */
  end() {
    this.#rest();
    this.#drop();
  }

  #drop() {
    if (this.isKept) this.#same.add(JSON.stringify(JSON.parse(this.#text).value));
    this.keep(undefined);
    for (const { key, name, value } of drafts(this.#key))
      if (key === this.#key && this.#same.has(JSON.stringify(value))) remove(name);
  }

  /** The editor is left: what is not saved stays kept, and is offered. */
  leave(resume) {
    this.#rest();
    if (this.isKept) offer(this.#name, resume);
  }

  /** Says that the editor goes on with what was found. `discard` shows what is saved instead. */
  sayContinued(discard = () => replace(location.hash.slice(1))) {
    if (!this.found) return;
    snackbar(t`These changes are not saved yet`, {
      seconds: 20,
      action: {
        label: t`Discard`,
        run: () => {
          this.#drop();
          discard();
        },
      },
    });
  }

  #rest() {
    open.delete(this.#name);
    removeEventListener('pagehide', this.#leaving);
    document.removeEventListener('visibilitychange', this.#leaving);
  }

  /** The page may be gone without a further word: also what is being typed is taken over. */
  #leaving = ({ type }) => {
    if (type === 'visibilitychange' && document.visibilityState === 'visible') return;
    const typing = document.activeElement;
    if (typing?.matches('input, textarea, select')) typing.dispatchEvent(new Event('change', { bubbles: true }));
    if (this.isKept) write(this.#name, this.#text);
  };
}

/**
 * Keeps what is entered in the named fields, switches and segments of a sheet, but no passwords. A sheet that is closed with a value is saved
 * or given up by the person; Back, Escape and a tap beside it leave it.
 * @param {HTMLDialogElement} sheet
 * @param {() => void} resume opens the sheet again
 */
export function sheetDraft(sheet, key, resume) {
  const draft = new Draft(key);
  const nameOf = (each) => each.name || each.dataset.key || each.getAttribute('aria-label');
  const fields = [
    ...sheet.querySelectorAll('[name]:not([type="password"]), [role="switch"][data-key], [role="radiogroup"]'),
  ];
  const read = () => Object.fromEntries(fields.map((each) => [nameOf(each), each.value]));
  const put = (values) => {
    for (const each of fields) {
      const value = values[nameOf(each)];
      if (value === undefined || value === each.value) continue;
      const role = each.getAttribute('role');
      if (role === 'switch') each.click();
      else if (role === 'radiogroup') each.querySelector(`[data-value="${CSS.escape(value)}"]`)?.click();
      else {
        each.value = value;
        for (const type of ['input', 'change']) each.dispatchEvent(new Event(type, { bubbles: true }));
      }
    }
  };
  const first = read();
  const changed = () => {
    const now = read();
    draft.keep(JSON.stringify(now) === JSON.stringify(first) ? undefined : now);
  };
  if (draft.found) put(draft.found);
  draft.sayContinued(() => put(first));
  for (const type of ['input', 'change']) sheet.addEventListener(type, changed);
  sheet.addEventListener('close', () => (sheet.returnValue ? draft.end() : draft.leave(resume)));
}
