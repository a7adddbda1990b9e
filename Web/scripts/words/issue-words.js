// Issues in a file, in words for people.
import { t } from './translate.js';

const words = {
  // A PAD file.
  missing_end: t`the zone has no AlertZoneEnd`,
  row_outside_zone: t`a row before the first AlertZoneStart`,
  separator_in_quotes: t`a comma inside quotes still separates`,
  equal_location_numbers: t`two locations have the same number; they stay in the order of the file`,
  location_number_not_a_number: t`a location has no number`,
  repeated_row: t`a row comes twice; the last one counts`,
  extra_columns: t`more columns than the row has`,
  control_characters: t`characters that are not text`,
  closing_location_dropped: t`the last location repeats the first and is not needed`,
  id_taken: t`its id is another zone’s; it gets a new one`,
  not_a_number: t`a number was expected`,
  out_of_range: t`a value outside the allowed range`,
  unknown_word: t`a word that is not known`,
  incomplete: t`a row lacks something`,
  line_too_long: t`a line is too long to be read`,
  misspelled: t`an unknown row with a name close to a known one; it is kept and has no effect`,
  too_many_unknown_rows: t`more unknown rows than can be kept`,
  no_locations: t`no location: the zone has no place`,
  too_few_locations_left: t`too few locations are left to make an area`,
  no_zones: t`no zone in it: is it a .pad file?`,
  more: t`more of the same kind`,
  // An OpenAir file.
  bad_coordinate: t`a coordinate that cannot be read`,
  bad_arc: t`an arc or a radius that cannot be read`,
  bad_variable: t`a variable that cannot be read`,
  no_center: t`an arc or a circle without a centre`,
  unknown_record: t`a record that is not known`,
  height_unknown: t`a limit above ground, whose height over the sea is not known: the zone has no such limit`,
  bad_height: t`a limit that is no height or flight level: the zone has no such limit`,
  ceiling_below_floor: t`its ceiling is not above its floor: the zone has neither`,
  times_ignored: t`times of activation, which are kept but not applied: the zone is always active`,
  // A GeoJSON or KML file.
  foreign_crs: t`its coordinates are in another reference system than longitude and latitude (WGS 84)`,
  bad_size: t`a size or its unit that cannot be read: the default is taken`,
  unknown_size: t`a property that seems to be a size and states no unit that is known: the default is taken`,
  bad_altitude: t`an altitude that cannot be read`,
  bad_value: t`a value that cannot be used: the default is taken`,
  unreadable: t`something that cannot be read and is left out`,
  mended: t`something unusual, which is read all the same`,
  cut_off: t`the file is damaged or cut off: the zones before that place are read`,
  link_elsewhere: t`a link to another document, which is not read`,
  // An OwnTracks file.
  no_region: t`a place without a radius above 0, which is no region in OwnTracks`,
  bad_radius: t`a radius that cannot be read: the default is taken`,
  // A list of geofences of Traccar.
  calendar_ignored: t`a calendar of Traccar, which has no effect: the zone is always active`,
  // A KMZ archive.
  other_documents: t`other KML documents in the archive, which are not read`,
  // Forms.
  rings_cross: t`the edges of one of its rings cross; points inside an odd number of loops count as inside`,
  missing: t`is missing`,
  wrong_kind: t`is of the wrong kind`,
  no_geometry: t`has no place that can be read`,
  too_few_places: t`too few places to make an area`,
  size_out_of_range: t`its size is outside the allowed range`,
};
export const issue = (word) => words[word] ?? word.replaceAll('_', ' ');

const fields = {
  name: t`name`,
  category: t`category`,
  active: t`on or off`,
  vibrate: t`vibration`,
  priority: t`priority`,
  sleep: t`sleep time`,
  size: t`size`,
  inset: t`inset`,
  alert_distance: t`alert distance`,
  lead: t`lead time`,
  floor: t`floor`,
  ceiling: t`ceiling`,
  sound: t`sound`,
  outline: t`outline`,
  trigger: t`trigger`,
  dwell: t`length of stay`,
  places: t`places`,
  schedule: t`hours`,
  // Hours in an unknown time zone cannot be evaluated (scripts/device/local-time.js).
  windows: t`hours`,
  assurance: t`assurance`,
  messages: t`messages`,
  notice: t`notice`,
  pad_rows: t`rows of other programs`,
};
export const fieldName = (word) => fields[word.replace(/_(s|m)$/, '')] ?? word;
