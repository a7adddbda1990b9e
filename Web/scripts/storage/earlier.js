// What earlier versions of the page kept, as this one has it.

/** @param {object} form of a zone; its alert distance was called `distance_m` */
export function zoneForm({ distance_m, ...form }) {
  return distance_m === undefined ? form : { alert_distance_m: distance_m, ...form };
}
