// The place of the next zone, if it was tapped on the map (S51), held, or found by its `name`.
export const nextZone = { place: undefined, name: undefined };
