// The times at which each zone was last changed here or rang: for lists that begin with the zones used last.
const key = 'zone_times';

export class Recent {
  #times = new Map();
  #storage;

  static async of(app) {
    const recent = new Recent();
    recent.#storage = app.storage;
    recent.#times = new Map(Object.entries(await app.storage.kept(key, {})));
    // A storage that arrives late has further times.
    app.storage.arrived
      .then(() => app.storage.kept(key, {}))
      .then((before) => {
        recent.#times = new Map([...Object.entries(before), ...recent.#times]);
      })
      .catch((error) => console.error(error));
    app.addEventListener('zones', ({ detail: { ids, more } }) =>
      recent.#note(
        ids.filter((id) => app.zones.has(id)),
        app.now,
        { more },
      ),
    );
    app.addEventListener('events', ({ detail }) =>
      recent.#note(
        detail.filter(({ event }) => event === 'alarm').map(({ zone }) => zone),
        app.now,
      ),
    );
    return recent;
  }

  /** Notes the zones' times. With `more` they are stored only with the last part. */
  #note(ids, now, { more = false } = {}) {
    for (const id of ids) this.#times.set(id, now);
    if (more || !ids.length) return;
    this.#storage.keep(key, Object.fromEntries(this.#times)).catch((error) => console.error(error));
  }

  /** The ids, most recent first; those without a time follow in their order. */
  sorted(ids) {
    return ids.toSorted((a, b) => (this.#times.get(b) ?? 0) - (this.#times.get(a) ?? 0));
  }
}

let shared;
/** @returns {Promise<Recent>} the shared instance, which notes times from the first call on */
export const recentOf = (app) => {
  shared ??= Recent.of(app);
  return shared;
};
