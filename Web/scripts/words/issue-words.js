// What is odd about a file, in words for people.

const words = {
  // A PAD file.
  missing_end: 'the zone has no AlertZoneEnd',
  row_outside_zone: 'a row before the first AlertZoneStart',
  separator_in_quotes: 'a comma inside quotes separates all the same',
  equal_location_numbers: 'two locations have the same number; they stay in the order of the file',
  location_number_not_a_number: 'a location has no number',
  repeated_row: 'a row comes twice; the last one counts',
  extra_columns: 'more columns than the row has',
  control_characters: 'characters that are no text',
  closing_location_dropped: 'the last location repeats the first and is not needed',
  id_taken: 'its id is another zone’s; it gets a new one',
  not_a_number: 'a number expected',
  out_of_range: 'a value beyond what is allowed',
  unknown_word: 'a word that is not known',
  incomplete: 'a row lacks something',
  line_too_long: 'a line too long to be read',
  too_many_unknown_rows: 'more unknown rows than are kept',
  no_locations: 'no location: the zone is nowhere',
  too_few_locations_left: 'too few locations are left to make an area',
  no_zones: 'no zone in it: is it a .pad file?',
  more: 'more of the same kind',
  // Forms.
  rings_cross: 'the edges of one of its rings cross; what lies in an odd number of loops is inside',
  missing: 'is missing',
  wrong_kind: 'is of the wrong kind',
  no_geometry: 'has no place that can be read',
  too_few_places: 'too few places to make an area',
  size_out_of_range: 'its size is beyond what is allowed',
};
export const issue = (word) => words[word] ?? word.replaceAll('_', ' ');

const fields = {
  name: 'name',
  category: 'category',
  active: 'on or off',
  vibrate: 'vibration',
  priority: 'priority',
  sleep: 'sleep time',
  size: 'size',
  inset: 'inset',
  alert_distance: 'alert distance',
  lead: 'lead time',
  sound: 'sound',
  outline: 'outline',
  trigger: 'trigger',
  dwell: 'length of stay',
  places: 'places',
  schedule: 'hours',
  assurance: 'assurance',
  messages: 'messages',
  notice: 'notice',
  pad_rows: 'rows of other programs',
};
export const fieldName = (word) => fields[word.replace(/_(s|m)$/, '')] ?? word;
