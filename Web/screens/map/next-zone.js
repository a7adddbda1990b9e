// Where the next zone that is entered shall be: tapped on the map (S51), or held.
export const nextZone = { place: undefined };
