// The steps of the browser's history. A sheet that is opened adds a step of its own, so that Back, which is a gesture on
// phones, closes the sheet and leaves the screen below it where it is.

/** Sheets that are open, the topmost last: `{dialog, mark}`. */
const sheets = [];
/** Marks of another visit to this page are not taken for those of this one. */
const visit = Math.random().toString(36).slice(2);
let opened = 0;
/** A step back that was asked for has not been taken yet; what is to be done after it, in order. */
let goesBack = false;
let after = [];
/** Screens that were gone to since the page was loaded. */
let screens = 0;

/** Back closes `dialog`, which has been opened just now, for as long as it is open. */
export function closesOnBack(dialog) {
  // A step added now would be the one that is gone back from.
  if (goesBack) {
    after.push(() => {
      if (dialog.open) closesOnBack(dialog);
    });
    return;
  }
  const sheet = { dialog, mark: `${visit}-${++opened}` };
  const { sheet: current } = history.state ?? {};
  // The step of a sheet that has been closed in the same breath is taken over.
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

/** Goes to an address. A step that only a sheet stands for is not kept: Back leads to the screen below the sheet. */
export function step(address) {
  if (goesBack) {
    after.push(() => step(address));
    return;
  }
  const url = address.startsWith('#') ? address : `#${address}`;
  if (history.state?.sheet && location.hash !== url) location.replace(url);
  else location.hash = url;
}

/** Back to the screen before, also from a sheet that has been closed just now. */
export function back() {
  // Both steps would be gone at once, and a screen more.
  if (goesBack) {
    after.push(back);
    return;
  }
  const isOverSheet = Boolean(history.state?.sheet);
  sheets.length = 0;
  history.go(isOverSheet ? -2 : -1);
}

/** Notes that a screen was gone to. */
export const noteScreen = () => {
  screens += 1;
};
/** True where the page was loaded with the screen that is being entered. */
export const isFirstScreen = () => screens === 0;
/** Whether Back leads to another screen of this page. */
export const hasBefore = () => screens > 1;

globalThis.addEventListener?.('popstate', () => {
  const { sheet: mark } = history.state ?? {};
  const at = sheets.findIndex((each) => each.mark === mark);
  // Whatever is above the step that was come to.
  for (const { dialog } of sheets.splice(at + 1).reverse()) dialog.close();
  goesBack = false;
  // A step whose sheet was closed long ago leads nowhere.
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
