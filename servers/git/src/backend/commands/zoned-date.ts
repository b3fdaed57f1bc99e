import { utc } from './nul-records.ts';

/** The ISO 8601 date of seconds since 1970 in a zone such as `+0200`. */
export function zonedDate(seconds: number, zone: string): string {
  const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)$/.exec(zone) ?? [];
  const offset = (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
  const date = new Date((seconds + offset * 60) * 1000);
  if (Number.isNaN(date.getTime())) return String(seconds);
  return utc(`${date.toISOString().slice(0, 19)}${sign ? `${sign}${hours}:${minutes}` : 'Z'}`);
}
