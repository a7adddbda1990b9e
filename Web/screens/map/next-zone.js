// Where the next zone that is entered shall be: tapped on the map (S51), held, or found by its `name`.
export const nextZone = { place: undefined, name: undefined };
