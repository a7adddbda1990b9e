// Converts records of earlier versions of the page to the present format.

/** @param {object} form of a zone; its alert distance was called `distance_m` */
export function zoneForm({ distance_m, ...form }) {
  return distance_m === undefined ? form : { alert_distance_m: distance_m, ...form };
}
