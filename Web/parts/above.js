// What is said is seen and can be tapped also while something modal is open: then it belongs to that.

/** The modal dialog on top, if any: it and what is behind it take every point of the page. */
const modal = () => document.elementFromPoint(1, 1)?.closest('dialog:modal');

/**
 * Shows an element in `otherwise`, or in the modal dialog that is open, and when that closes in what is below it.
 * Redrawing the dialog leaves the element alone.
 */
export function showAbove(element, otherwise) {
  const dialog = modal();
  element.dataset.apart = '';
  if (!dialog) {
    otherwise.replaceChildren(element);
    return;
  }
  otherwise.replaceChildren();
  for (const former of dialog.querySelectorAll(':scope > [data-apart]')) former.remove();
  // What is outside a modal dialog is not read out.
  element.setAttribute('role', 'status');
  dialog.append(element);
  dialog.addEventListener(
    'close',
    () => {
      if (element.parentElement !== dialog) return;
      element.remove();
      element.removeAttribute('role');
      showAbove(element, otherwise);
    },
    { once: true },
  );
}
