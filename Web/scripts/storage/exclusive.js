// Work on what is kept, one after the other: what two read at once and each wrote back would be as only one of them left it.

const turns = new Map();

/** Runs `work` when all that came before it under this name has ended, in all tabs where the browser has locks. */
export function exclusively(name, work) {
  if (navigator.locks) return navigator.locks.request(`proximity-${name}`, work);
  const mine = (turns.get(name) ?? Promise.resolve()).then(work);
  turns.set(
    name,
    mine.catch(() => {}),
  );
  return mine;
}
