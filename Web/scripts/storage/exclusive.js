// Serializes work on stored data: if two read the same data and each wrote them back, the changes of one would be lost.

const turns = new Map();

/** Runs `work` after all earlier work of this name has ended, in all tabs if the browser has locks. */
export function exclusively(name, work) {
  if (navigator.locks) return navigator.locks.request(`proximity-${name}`, work);
  const mine = (turns.get(name) ?? Promise.resolve()).then(work);
  turns.set(
    name,
    mine.catch(() => {}),
  );
  return mine;
}
