// A track that the engine has replayed, for drawing: positions over time, stays and alarms.

const width = 5;

export class Journey {
  /** Milliseconds, ascending. */
  times;
  #steps;
  stays;

  /** @param {{steps: Uint8Array, stays: [number, number][]}} answer of the engine to `replay` */
  constructor({ steps, stays }) {
    this.#steps = new Float64Array(steps.slice().buffer);
    this.stays = stays;
    this.times = Array.from({ length: this.#steps.length / width }, (_, index) => this.#steps[index * width + 3]);
  }

  get count() {
    return this.times.length;
  }
  get from() {
    return this.times[0];
  }
  get to() {
    return this.times[this.times.length - 1];
  }

  step(index) {
    const [latitude, longitude, accuracy, time, speed] = this.#steps.subarray(index * width, (index + 1) * width);
    return { place: [latitude, longitude], accuracy: known(accuracy), time, speed: known(speed) };
  }

  /** The last step at or before a time; -1 before the first. */
  indexAt(time) {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= time) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** The drawn position at a time: on the straight line between two fixes, if they are at most 10 minutes apart. */
  at(time) {
    const index = Math.max(0, this.indexAt(time));
    const here = this.step(index);
    if (index + 1 >= this.count || time <= here.time) return here;
    const next = this.step(index + 1);
    if (next.time - here.time > longestLine_ms) return here;
    const share = (time - here.time) / (next.time - here.time);
    return {
      ...next,
      time,
      place: here.place.map((from, axis) => from + share * (axis ? turn(from, next.place[1]) : next.place[0] - from)),
    };
  }

  stayAt(time) {
    return this.stays.find(([from, to]) => time >= from && time <= to);
  }

  /** Lines of [longitude, latitude] before and after a time. Longitudes continue beyond 180, so that no line jumps. */
  lines(time) {
    const drawn = this.#points();
    const end = Math.floor(this.indexAt(time) / this.#every);
    const here = this.at(time).place;
    const cut = end < 0 ? null : [drawn[end][0] + turn(drawn[end][0], here[1]), here[0]];
    return {
      before: cut ? [...drawn.slice(0, end + 1), cut] : [],
      after: cut ? [cut, ...drawn.slice(end + 1)] : drawn,
    };
  }

  /** The step between points that are drawn: more points of a long track could not be told apart and would block the page. */
  get #every() {
    return Math.max(1, Math.ceil(this.count / mostDrawn));
  }
  #drawn;
  #points() {
    if (this.#drawn) return this.#drawn;
    this.#drawn = [];
    let longitude;
    const draw = (index) => {
      const { place } = this.step(index);
      longitude = index ? longitude + turn(longitude, place[1]) : place[1];
      this.#drawn.push([longitude, place[0]]);
    };
    for (let index = 0; index < this.count; index += this.#every) draw(index);
    if ((this.count - 1) % this.#every) draw(this.count - 1);
    return this.#drawn;
  }

  /** South-west and north-east, as the map's `fit` takes them. */
  get box() {
    const points = this.#points();
    const [east, north] = [0, 1].map((axis) => points.reduce((most, point) => Math.max(most, point[axis]), -Infinity));
    const [west, south] = [0, 1].map((axis) => points.reduce((least, point) => Math.min(least, point[axis]), Infinity));
    return [
      [south, west],
      [north, east],
    ];
  }
}

const mostDrawn = 50_000;
const longestLine_ms = 600_000;
const known = (number) => (Number.isNaN(number) ? undefined : number);
/** The degrees to turn east, from -180 to 180. */
function turn(from, to) {
  return ((((to - from) % 360) + 540) % 360) - 180;
}

/**
 * The alarms and notices, each with its answers and its end, in ascending order of time.
 * @param {object[]} events of the engine, and people's answers where they were noted
 * @returns {{kind: 'alarm'|'missed_signal'|'notice'|'perhaps', time: number, zone: string, name: string, place?: number[], alarm?: string,
 *   cause?: string, distance?: number, repeats: number, answers: object[], cleared?: object, why?: object, learned: number}[]}
 */
export function incidents(events) {
  const found = [];
  const alarms = new Map();
  for (const event of events) {
    const known = event.alarm && alarms.get(event.alarm);
    switch (event.event) {
      case 'alarm':
        // An alarm that rings again after its sleep is the same incident.
        if (known) {
          known.rings += 1;
          break;
        }
        alarms.set(event.alarm, begun('alarm', event));
        found.push(alarms.get(event.alarm));
        break;
      case 'missed_signal':
      case 'notice':
      case 'perhaps':
        found.push(begun(event.event, event));
        break;
      case 'repeat':
        if (known) known.repeats += 1;
        break;
      case 'cleared':
        if (known) known.cleared = event;
        break;
      case 'answer':
        if (known) known.answers.push(event);
        break;
      default:
        break;
    }
  }
  return found.sort((a, b) => a.time - b.time);
}

const begun = (kind, event) => ({
  kind,
  time: event.time_ms,
  decided: event.decided_ms,
  learned: event.learned_ms,
  zone: event.zone,
  name: event.name,
  place: event.place,
  alarm: event.alarm,
  cause: event.cause,
  distance: event.distance_m,
  probability: event.probability,
  why: event.why && typeof event.why === 'object' ? event.why : undefined,
  repeats: 0,
  rings: 1,
  answers: [],
});
