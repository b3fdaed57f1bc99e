/**
 * The countries of MeteoAlarm by their codes: the end of the URL of the country's feed, then its time zones.
 * @see https://feeds.meteoalarm.org/
 */
const countries: { readonly [code: string]: readonly [feed: string, ...zones: string[]] } = {
  AD: ['andorra', 'Europe/Andorra'],
  AT: ['austria', 'Europe/Vienna'],
  BA: ['bosnia-herzegovina', 'Europe/Sarajevo'],
  BE: ['belgium', 'Europe/Brussels'],
  BG: ['bulgaria', 'Europe/Sofia'],
  CH: ['switzerland', 'Europe/Zurich'],
  CY: ['cyprus', 'Asia/Nicosia', 'Asia/Famagusta', 'Europe/Nicosia'],
  CZ: ['czechia', 'Europe/Prague'],
  DE: ['germany', 'Europe/Berlin', 'Europe/Busingen'],
  DK: ['denmark', 'Europe/Copenhagen'],
  EE: ['estonia', 'Europe/Tallinn'],
  ES: ['spain', 'Europe/Madrid', 'Atlantic/Canary', 'Africa/Ceuta'],
  FI: ['finland', 'Europe/Helsinki', 'Europe/Mariehamn'],
  FR: ['france', 'Europe/Paris'],
  GB: ['united-kingdom', 'Europe/London'],
  GR: ['greece', 'Europe/Athens'],
  HR: ['croatia', 'Europe/Zagreb'],
  HU: ['hungary', 'Europe/Budapest'],
  IE: ['ireland', 'Europe/Dublin'],
  IL: ['israel', 'Asia/Jerusalem'],
  IS: ['iceland', 'Atlantic/Reykjavik'],
  IT: ['italy', 'Europe/Rome'],
  LT: ['lithuania', 'Europe/Vilnius'],
  LU: ['luxembourg', 'Europe/Luxembourg'],
  LV: ['latvia', 'Europe/Riga'],
  MD: ['moldova', 'Europe/Chisinau'],
  ME: ['montenegro', 'Europe/Podgorica'],
  MK: ['republic-of-north-macedonia', 'Europe/Skopje'],
  MT: ['malta', 'Europe/Malta'],
  NL: ['netherlands', 'Europe/Amsterdam'],
  NO: ['norway', 'Europe/Oslo', 'Arctic/Longyearbyen'],
  PL: ['poland', 'Europe/Warsaw'],
  PT: ['portugal', 'Europe/Lisbon', 'Atlantic/Madeira', 'Atlantic/Azores'],
  RO: ['romania', 'Europe/Bucharest'],
  RS: ['serbia', 'Europe/Belgrade'],
  SE: ['sweden', 'Europe/Stockholm'],
  SI: ['slovenia', 'Europe/Ljubljana'],
  SK: ['slovakia', 'Europe/Bratislava'],
  UA: ['ukraine', 'Europe/Kyiv', 'Europe/Kiev'],
};

/** Whether MeteoAlarm has a feed for a country, which is given by its code of two letters. */
export function hasFeed(code: string | undefined): code is string {
  return code !== undefined && Object.hasOwn(countries, code);
}

/** Returns the end of the URL of a country's feed. The country must have one; see {@link hasFeed}. */
export function feedOf(code: string): string {
  return countries[code]![0];
}

/** Returns the code of the country of MeteoAlarm that has a time zone; undefined if none has it. */
export function countryOfZone(zone: string): string | undefined {
  return Object.keys(countries).find((code) => countries[code]!.includes(zone));
}

export function countryName(code: string): string {
  return new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? code;
}
