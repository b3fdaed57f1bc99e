/** Matches a date, of which month and day may be missing, and optionally a time of day with an offset. */
const iso8601 =
  /^(\d{4}(?:-\d\d(?:-\d\d)?)?)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * Returns the time that an ISO 8601 text names. Without an offset it is UTC, like all times in answers,
 * because the client does not know the time zone of the machine. Throws for other texts, and for days that do
 * not exist.
 */
export function timeOf(text: string): Date {
  const [, date = '', time = '00:00', offset = 'Z'] = iso8601.exec(text) ?? [];
  const result = new Date(`${date}T${time}${offset}`);
  if (!Number.isNaN(result.getTime()) && new Date(date).toISOString().startsWith(date)) return result;
  throw new Error(
    `Invalid time: ${JSON.stringify(text)}; expected ISO 8601, such as 2026-11-20 or 2026-11-20T14:45+01:00`,
  );
}
