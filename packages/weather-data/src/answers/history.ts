import type { Fetched } from '../cache/upstream-document.ts';
import { WeatherError } from '../errors.ts';
import type { Place } from '../places/place.ts';
import type { UnitSystem } from '../model/units.ts';
import type { Series } from '../model/series.ts';
import { addDays } from '../model/time-zone.ts';
import { type Answer, composeAnswer, subjectOf } from './answer.ts';
import { dayText } from '../text/day.ts';
import { fitting } from './fitting.ts';
import type { ClimateNormal } from './climate-normal.ts';
import { type DayCondition, summarize } from './period-summary.ts';
import { dayFacts } from '../text/moment.ts';
import { emptyNotes } from '../text/values.ts';

export interface HistoryOptions {
  /** The first local date; `end` is the last one. */
  readonly start: string;
  readonly end: string;
  readonly units: UnitSystem;
  /** Whether to summarize the days instead of listing them; defaults to false. */
  readonly summary?: boolean;
  /** In a summary, the days that meet this condition are counted. */
  readonly condition?: DayCondition | undefined;
  /** The climate normal of the days, which is added to the answer. */
  readonly climate?: ClimateNormal | undefined;
}

/** Past days, or their summary. Throws a `WeatherError` of kind `no_data` if none of the days is known. */
export function historyAnswer(
  fetched: Fetched<Series>,
  place: Place,
  { start, end, units, summary = false, condition, climate }: HistoryOptions,
  now: number,
): Answer {
  const { zone } = fetched.model;
  const days = fetched.model.days.filter(({ date }) => date >= start && date <= end);
  const notes = [...fetched.model.notes, ...emptyNotes(days)];
  if (days.length === 0) {
    const range = start === end ? start : `${start} to ${end}`;
    throw new WeatherError('no_data', `No data for ${range}. ${notes.join('. ')}`.trim());
  }
  const known = new Set(days.map(({ date }) => date));
  const missing = datesFrom(start, end).filter((date) => !known.has(date));
  const subject = subjectOf(fetched, place, {
    notes: missing.length > 0 ? [...notes, `No data for ${listed(missing)}`] : notes,
  });
  if (summary) {
    const { text, facts } = summarize(days, units, condition);
    return composeAnswer(fetched, subject, now, withClimate(`${start} to ${end}: ${text}`, climate), {
      summary: facts,
      ...(climate && { normal: climate.facts }),
    });
  }
  const rows = days.map((day) => ({ text: dayText(day, zone, units), facts: dayFacts(day, zone, units) }));
  const shown = fitting(rows, (row) => Math.max(row.text.length, JSON.stringify(row.facts).length) + 1);
  const next = days[shown.length]?.date;
  const lines = shown.map((row) => row.text);
  if (next !== undefined)
    lines.push(`${shown.length} of ${days.length} days; continue with start ${next}, or use summary`);
  return composeAnswer(fetched, subject, now, withClimate(lines.join('\n'), climate), {
    days: shown.map((row) => row.facts),
    ...(next !== undefined && { nextStart: next }),
    ...(climate && { normal: climate.facts }),
  });
}

function withClimate(text: string, climate: ClimateNormal | undefined): string {
  return climate ? `${text}\n${climate.text}` : text;
}

function datesFrom(start: string, end: string): string[] {
  const dates: string[] = [];
  for (let date = start; date <= end; date = addDays(date, 1)) dates.push(date);
  return dates;
}

function listed(dates: readonly string[]): string {
  return dates.length > 5 ? `${dates.length} days from ${dates[0]} to ${dates.at(-1)}` : dates.join(', ');
}
