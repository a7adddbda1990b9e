// The steps of the browser's history. A sheet that is opened adds a step of its own, so that Back, which is a gesture on
// phones, closes the sheet and leaves the screen below it where it is.

/** Sheets that are open, the topmost last: `{dialog, mark}`. */
const sheets = [];
/** Distinguishes the marks of this visit to the page from those of another. */
const visit = Math.random().toString(36).slice(2);
let opened = 0;
/** True if a step back is pending. `after` holds the actions to run after it, in order. */
let goesBack = false;
let after = [];
/** The number of screens entered since the page was loaded. */
let screens = 0;

/** Makes Back close `dialog`, which has just been opened, for as long as it is open. */
export function closesOnBack(dialog) {
  // The pending step back would remove a step added now.
  if (goesBack) {
    after.push(() => {
      if (dialog.open) closesOnBack(dialog);
    });
    return;
  }
  const sheet = { dialog, mark: `${visit}-${++opened}` };
  const { sheet: current } = history.state ?? {};
  // Takes over the step of a sheet that has just been closed.
  const isFree = current && !sheets.some(({ mark }) => mark === current);
  if (isFree) history.replaceState({ sheet: sheet.mark }, '');
  else history.pushState({ sheet: sheet.mark }, '');
  sheets.push(sheet);
  dialog.addEventListener('close', () => {
    const index = sheets.indexOf(sheet);
    if (index < 0) return;
    sheets.splice(index, 1);
    if (history.state?.sheet === sheet.mark) stepBack();
  });
}

function stepBack() {
  goesBack = true;
  history.back();
}

/** Goes to an address. Replaces a step that stands only for a sheet, so that Back leads to the screen below the sheet. */
export function step(address) {
  if (goesBack) {
    after.push(() => step(address));
    return;
  }
  const url = address.startsWith('#') ? address : `#${address}`;
  if (history.state?.sheet && location.hash !== url) location.replace(url);
  else location.hash = url;
}

/** Goes back to the previous screen, also from a sheet that has just been closed. */
export function back() {
  // Two steps at once would go back one screen too far.
  if (goesBack) {
    after.push(back);
    return;
  }
  const isOverSheet = Boolean(history.state?.sheet);
  sheets.length = 0;
  history.go(isOverSheet ? -2 : -1);
}

/** Counts a screen that is entered. */
export const noteScreen = () => {
  screens += 1;
};
/** True if the page was loaded with the screen that is being entered. */
export const isFirstScreen = () => screens === 0;
/** True if Back leads to another screen of this page. */
export const hasBefore = () => screens > 1;

globalThis.addEventListener?.('popstate', () => {
  const { sheet: mark } = history.state ?? {};
  const at = sheets.findIndex((each) => each.mark === mark);
  // Closes every sheet above the step that the history is at now.
  for (const { dialog } of sheets.splice(at + 1).reverse()) dialog.close();
  goesBack = false;
  // Skips a step whose sheet is no longer open.
  if (mark && at < 0) {
    stepBack();
    return;
  }
  const waiting = after;
  after = [];
  for (const [index, act] of waiting.entries()) {
    act();
    if (goesBack) {
      after = [...waiting.slice(index + 1), ...after];
      return;
    }
  }
});
