import type { Ask, Read } from '../backend/cache/upstream-document.ts';
import { Failure } from '../backend/errors.ts';
import { go, type Maybe } from '../backend/maybe-promise.ts';
import type { Place } from '../backend/places/place.ts';
import type { UnitSystem } from '../backend/model/units.ts';
import type { Series } from '../backend/model/series.ts';
import type { Weather } from '../context.ts';
import { placeKeyOf, rendered, subjectOf } from './answer.ts';
import { momentFacts } from '../text/moment.ts';
import { onceAMinute, type Rendered } from './rendered.ts';
import { conditionText, labelled, valueFacts, windText } from '../text/values.ts';

/** The weather at a place now. */
export function currentAnswer(
  { forecasts }: Weather,
  place: Place,
  units: UnitSystem,
  ask: Ask,
): Maybe<Rendered> {
  return go(forecasts.current(place, ask), (read) => told(forecasts, read, place, units));
}

function told(
  forecasts: Weather['forecasts'],
  read: Read<Series>,
  place: Place,
  units: UnitSystem,
): Rendered {
  const now = forecasts.clock.now();
  return onceAMinute(read, `${placeKeyOf(place)} ${units}`, now, () => {
    const { current, zone } = read.model;
    if (!current) throw new Failure('no_data', 'The source says nothing of the weather now');
    const text = [
      `${zone.textAt(current.time)} ${conditionText(current)}`,
      ...labelled(current.values, ['temperature', 'feelsLike', 'dewPoint', 'humidity'], units),
      ...labelled(current.values, ['precipitation'], units).map((value) => `${value} in the hour before`),
      windText(current.values, units),
      ...labelled(current.values, ['cloudCover', 'pressure', 'visibility', 'snowDepth'], units),
    ].join(', ');
    const old = now / 1000 - current.time > oldObservation && !read.sample;
    return rendered(read, subjectOf(read, place, { stale: read.stale || old }), now, text, {
      current: { ...momentFacts(current, zone), ...valueFacts(current.values, units) },
    });
  });
}

/** What was observed or analysed longer ago than this is not "now" any more, in seconds. */
const oldObservation = 3 * 3600;
