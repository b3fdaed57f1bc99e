import type { FetchOptions } from '../backend/cache/upstream-document.ts';
import { Failure } from '../backend/errors.ts';
import type { Place } from '../backend/places/place.ts';
import type { UnitSystem } from '../backend/model/units.ts';
import { addDays } from '../backend/model/time-zone.ts';
import type { WeatherService } from '../backend/weather-service.ts';
import { type Answer, composeAnswer, memoizePerMinute, placeKeyOf, subjectOf } from './answer.ts';
import { dayText } from '../text/day.ts';
import { dayFacts } from '../text/moment.ts';

/** Past days at a place. */
export async function historyAnswer(
  weather: WeatherService,
  place: Place,
  { start, end, units }: { start: string; end: string; units: UnitSystem },
  options: FetchOptions,
): Promise<Answer> {
  const fetched = await weather.history(place, start, end, options);
  const now = weather.clock.now();
  return memoizePerMinute(fetched, `${placeKeyOf(place)} ${units} ${start} ${end}`, now, () => {
    const { zone } = fetched.model;
    const days = fetched.model.days.filter(({ date }) => date >= start && date <= end);
    const requested = datesFrom(start, end);
    const missing = requested.filter((date) => !days.some((day) => day.date === date));
    const notes = missing.length > 0 ? [`No data for ${listed(missing)}`] : [];
    const text = days.map((day) => dayText(day, zone, units)).join('\n');
    if (days.length === 0)
      throw new Failure(
        'no_data',
        `No data for ${start === end ? start : `${start} to ${end}`}. ${fetched.model.notes.join('. ')}`.trim(),
      );
    return composeAnswer(
      fetched,
      subjectOf(fetched, place, { notes: [...fetched.model.notes, ...notes] }),
      now,
      text,
      {
        days: days.map((day) => dayFacts(day, zone, units)),
      },
    );
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
