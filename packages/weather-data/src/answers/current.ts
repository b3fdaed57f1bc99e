import type { FetchOptions, Fetched } from '../cache/upstream-document.ts';
import { Failure } from '../errors.ts';
import { thenMaybe, type MaybePromise } from '../maybe-promise.ts';
import type { Place } from '../places/place.ts';
import type { UnitSystem } from '../model/units.ts';
import type { Series } from '../model/series.ts';
import { observedAt } from '../model/upcoming.ts';
import type { WeatherService } from '../weather-service.ts';
import { type Answer, composeAnswer, memoizePerMinute, placeKeyOf, subjectOf } from './answer.ts';
import { momentFacts } from '../text/moment.ts';
import { conditionText, labelled, valueFacts, windText } from '../text/values.ts';

/** The current weather at a place. */
export function currentAnswer(
  weather: WeatherService,
  place: Place,
  units: UnitSystem,
  options: FetchOptions,
): MaybePromise<Answer> {
  return thenMaybe(weather.current(place, options), (fetched) => answerFrom(weather, fetched, place, units));
}

function answerFrom(
  weather: WeatherService,
  fetched: Fetched<Series>,
  place: Place,
  units: UnitSystem,
): Answer {
  const now = weather.clock.now();
  return memoizePerMinute({ fetched, place: placeKeyOf(place), request: units, nowMs: now }, () => {
    const { current, zone } = fetched.model;
    if (!current) throw new Failure('no_data', 'The source has no current weather');
    const text = [
      `${zone.textAt(current.time)} ${conditionText(current)}`,
      ...labelled(current.values, ['temperature', 'feelsLike', 'dewPoint', 'humidity'], units),
      ...labelled(current.values, ['precipitation'], units).map((value) => `${value} in the hour before`),
      windText(current.values, units),
      ...labelled(current.values, ['cloudCover', 'pressure', 'visibility', 'snowDepth'], units),
    ].join(', ');
    return composeAnswer(
      fetched,
      subjectOf(fetched, place, observedAt(current.time, fetched, now)),
      now,
      text,
      {
        current: { ...momentFacts(current, zone), ...valueFacts(current.values, units) },
      },
    );
  });
}
