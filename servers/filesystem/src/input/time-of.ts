/** Matches a date, of which month and day may be missing, and optionally a time of day with an offset. */
const iso8601 =
  /^(\d{4}(?:-\d\d(?:-\d\d)?)?)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?)?$/;

const second = 1_000;
/** Milliseconds of the units of an age. */
const units = { s: second, min: 60 * second, h: 3_600 * second, d: 86_400 * second, w: 604_800 * second };

/**
 * Returns the time of an ISO 8601 text, or of an age such as `2d`. Without an offset it is UTC, like all
 * times in answers, as the machine's zone is unknown to the client. Throws for other texts and for impossible
 * days.
 */
export function timeOf(text: string): Date {
  const [, count, unit] = /^(\d{1,5})(s|min|h|d|w)$/.exec(text) ?? [];
  if (unit !== undefined) return new Date(Date.now() - Number(count) * units[unit as keyof typeof units]);
  const [, date = '', time = '00:00', offset = 'Z'] = iso8601.exec(text) ?? [];
  const result = new Date(`${date}T${time}${offset}`);
  if (!Number.isNaN(result.getTime()) && new Date(date).toISOString().startsWith(date)) return result;
  throw new Error(
    `Invalid time: ${JSON.stringify(text)}; expected ISO 8601, such as 2026-11-20 or 2026-11-20T14:45+01:00, or an age: 30min, 12h, 2d, 1w`,
  );
}
