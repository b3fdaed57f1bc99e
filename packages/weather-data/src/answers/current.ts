import type { Fetched } from '../cache/upstream-document.ts';
import { WeatherError } from '../errors.ts';
import type { Place } from '../places/place.ts';
import type { UnitSystem } from '../model/units.ts';
import type { Series } from '../model/series.ts';
import { observedAt } from '../model/upcoming.ts';
import { type Answer, composeAnswer, subjectOf } from './answer.ts';
import { quarterFacts } from '../text/moment.ts';
import { nextQuartersText } from '../text/next-quarters.ts';
import { conditionFact, conditionText, valueTexts, valueFacts, windText } from '../text/values.ts';

/** The current weather at a place. Throws a `WeatherError` of kind `no_data` if the source has none. */
export function currentAnswer(
  fetched: Fetched<Series>,
  place: Place,
  units: UnitSystem,
  now: number,
): Answer {
  const { current, quarters, zone } = fetched.model;
  if (!current) throw new WeatherError('no_data', 'The source has no current weather');
  const rain = nextQuartersText(quarters ?? [], { zone, units, now });
  const text = [
    `${zone.textAt(current.time)} ${conditionText(current)}`,
    ...valueTexts(current.values, ['temperature', 'feelsLike', 'dewPoint', 'humidity'], units),
    ...valueTexts(current.values, ['precipitation'], units).map((value) => `${value} in the hour before`),
    windText(current.values, units),
    ...valueTexts(current.values, ['cloudCover', 'pressure', 'visibility', 'snowDepth'], units),
  ].join(', ');
  const subject = subjectOf(fetched, place, observedAt(current.time, fetched, now));
  const time = zone.textAt(current.time);
  const facts = { time, condition: conditionFact(current), ...valueFacts(current.values, units) };
  return composeAnswer(fetched, subject, now, rain === undefined ? text : `${text}\n${rain}`, {
    current: facts,
    ...(quarters && { quarters: quarterFacts(quarters, zone, units) }),
  });
}
