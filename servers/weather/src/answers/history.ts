import type { Ask } from '../backend/cache/upstream-document.ts';
import { Failure } from '../backend/errors.ts';
import type { Place } from '../backend/places/place.ts';
import type { UnitSystem } from '../backend/model/units.ts';
import { addDays } from '../backend/model/time-zone.ts';
import type { Weather } from '../context.ts';
import { placeKeyOf, rendered, subjectOf } from './answer.ts';
import { dayText } from '../text/day.ts';
import { dayFacts } from '../text/moment.ts';
import { onceAMinute, type Rendered } from './rendered.ts';

/** Days that are over. */
export async function historyAnswer(
  weather: Weather,
  place: Place,
  { start, end, units }: { start: string; end: string; units: UnitSystem },
  ask: Ask,
): Promise<Rendered> {
  const { forecasts } = weather;
  const read = await forecasts.history(place, start, end, ask);
  const now = forecasts.clock.now();
  return onceAMinute(read, `${placeKeyOf(place)} ${units} ${start} ${end}`, now, () => {
    const { zone } = read.model;
    const days = read.model.days.filter(({ date }) => date >= start && date <= end);
    const wanted = datesFrom(start, end);
    const missing = wanted.filter((date) => !days.some((day) => day.date === date));
    const notes = missing.length > 0 ? [`Nothing is known of ${listed(missing)}`] : [];
    const text = days.map((day) => dayText(day, zone, units)).join('\n');
    if (days.length === 0)
      throw new Failure(
        'no_data',
        `Nothing is known of ${start === end ? start : `${start} to ${end}`}. ${read.model.notes.join('. ')}`.trim(),
      );
    return rendered(read, subjectOf(read, place, { notes: [...read.model.notes, ...notes] }), now, text, {
      days: days.map((day) => dayFacts(day, zone, units)),
    });
  });
}

function datesFrom(start: string, end: string): string[] {
  const dates: string[] = [];
  for (let date = start; date <= end; date = addDays(date, 1)) dates.push(date);
  return dates;
}

function listed(dates: readonly string[]): string {
  return dates.length > 5 ? `${dates.length} days from ${dates[0]} to ${dates.at(-1)}` : dates.join(', ');
}
