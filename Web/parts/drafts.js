// Unsaved input. It is stored while it is edited, so that it survives Back, a reload, a tab that the browser discards, and an
// update of the page. A draft ends when it is saved or discarded. Drafts are stored in localStorage, which is synchronous, and
// not in the database.
import { replace } from '../scripts/page/address.js';
import { t } from '../scripts/words/translate.js';
import { snackbar } from './snackbar.js';

const prefix = 'draft ';
/** Drafts that the browser refused to store; they last until the page is closed. */
const held = new Map();
const random = () => Math.random().toString(36).slice(2);

/** An id of this tab that survives reloads. */
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
    // Nothing is stored there.
  }
}
function names() {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(prefix) && !held.has(name));
  } catch {
    return [];
  }
}

/** Parses a draft; undefined if the text is truncated, as by a full disk, or was removed meanwhile. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Names of the drafts whose editors are open in this page. */
const open = new Set();

/**
 * Drafts whose key begins with `beginning` and that no open editor of this page has: those of this tab first, then the newest
 * first.
 * @returns {{name, key, value, tab, at}[]}
 */
function drafts(beginning) {
  const all = [...names().map((name) => [name, localStorage.getItem(name)]), ...held];
  return all
    .map(([name, text]) => ({ ...parsed(text), name, key: name.slice(prefix.length, name.lastIndexOf(' ')) }))
    .filter(({ value }) => value !== undefined)
    .filter(({ name, key }) => key.startsWith(beginning) && !open.has(name))
    .sort((a, b) => (b.tab === tab) - (a.tab === tab) || b.at - a.at);
}

/** True if there is a draft with this key that no open editor of this page has. */
export const isDrafted = (key) => drafts(key).some((each) => each.key === key);

/** Deletes all drafts of this browser. */
export function forgetDrafts() {
  for (const name of [...names(), ...held.keys()]) remove(name);
}

/** Names of the drafts that were offered since the page was loaded. */
const offered = new Set();
function offer(name, resume) {
  offered.add(name);
  snackbar(t`Changes not saved`, { action: { label: t`Continue editing`, run: resume } });
}

/**
 * Offers the newest draft whose key begins with `beginning`, once. For screens that lead to its editor.
 * @param {(draft: {key: string, value}) => void} resume opens the editor, which continues with the draft
 */
export function offerDraft(beginning, resume) {
  const [found] = drafts(beginning);
  if (found && !offered.has(found.name)) offer(found.name, () => resume(found));
}

/** Offers a draft. To resume, clicks the button whose `data-key` is the last part of the draft's key, which opens the sheet. */
export const offerSheet = (beginning) =>
  offerDraft(beginning, ({ key }) =>
    document.querySelector(`[data-key="${CSS.escape(key.slice(key.lastIndexOf('/') + 1))}"]`)?.click(),
  );

/** The draft of one editor. Two editors of the same object, as in two tabs, have separate drafts. */
export class Draft {
  /** The unsaved input found under this key, for the editor to continue with. */
  found;
  #key;
  #name;
  #text;
  /** The found draft and the last stored one, as text: another tab may have stored the same. */
  #same = new Set();

  /**
   * @param {string} key of the edited object @param {{isFresh?: boolean}} [how] `isFresh`: does not continue an existing draft
   */
  constructor(key, { isFresh = false } = {}) {
    this.#key = key;
    this.#name = `${prefix}${key} ${random()}`;
    const before = isFresh ? undefined : drafts(key).find((each) => each.key === key);
    if (before) {
      this.found = before.value;
      this.#same.add(JSON.stringify(before.value));
      this.keep(before.value);
      // If another tab has this draft open, that tab writes it again.
      remove(before.name);
    }
    open.add(this.#name);
    addEventListener('pagehide', this.#leaving);
    document.addEventListener('visibilitychange', this.#leaving);
  }

  get isKept() {
    return this.#text !== undefined;
  }

  /** @param value a JSON value; undefined if nothing differs from the saved form */
  keep(value) {
    this.#text = value === undefined ? undefined : JSON.stringify({ tab, at: Date.now(), value });
    if (this.isKept) write(this.#name, this.#text);
    else remove(this.#name);
  }

  /** Ends the draft after its input was saved or discarded. */
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

  /** Leaves the editor. Unsaved input stays stored, and the person is offered to continue. */
  leave(resume) {
    this.#rest();
    if (this.isKept) offer(this.#name, resume);
  }

  /** Tells the person that the editor continues unsaved input. `discard` shows the saved form instead. */
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

  /** The page may be closed without another event, so the field that has the focus is stored too. */
  #leaving = ({ type }) => {
    if (type === 'visibilitychange' && document.visibilityState === 'visible') return;
    const typing = document.activeElement;
    if (typing?.matches('input, textarea, select')) typing.dispatchEvent(new Event('change', { bubbles: true }));
    if (this.isKept) write(this.#name, this.#text);
  };
}

/**
 * Stores the input of the named fields, switches and segments of a sheet, except passwords. A sheet that closes with a value
 * was saved or discarded; Back, Escape and a tap beside it keep the draft.
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
