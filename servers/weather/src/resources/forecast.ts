import { defineResource } from '@mcp/protocol';
import { type UnitSystem, unitSystems } from '../backend/model/units.ts';
import type { Weather } from '../context.ts';
import { completePlace, listPlaces, type PlaceAnswer, readPlace, watchPlace } from '../input/place-uri.ts';

interface Query {
  readonly days?: string | undefined;
  readonly units?: string | undefined;
}

const answer =
  (weather: Weather, { days = '7', units = weather.forecasts.units }: Query): PlaceAnswer =>
  async (place, ask) => {
    const { forecastAnswer } = await import('../answers/forecast.ts');
    const count = /^\d{1,3}$/.test(days) ? Number(days) : Number.NaN;
    return forecastAnswer(weather, place, { days: count, hourly: false, units: units as UnitSystem }, ask);
  };

/** The days ahead. */
export const forecast = defineResource({
  uri: 'weather://{place}/forecast{?days,units}',
  name: 'forecast',
  title: 'Forecast',
  description: 'The days ahead: 7, or as many as asked up to 16; in metric, imperial or si.',
  mimeType: 'application/json',
  read: ({ place, ...query }, weather: Weather, { uri }) =>
    readPlace({ uri, place, weather, answer: answer(weather, query) }),
  watch: ({ place, ...query }, changed, weather: Weather, { uri }) =>
    watchPlace({ uri, place, weather, answer: answer(weather, query) }, changed),
  list: (weather: Weather) => listPlaces(weather, 'forecast', 'Forecast'),
  complete: {
    place: (typed, weather: Weather) => completePlace(typed, weather),
    days: (typed) => ['1', '3', '7', '10', '16'].filter((days) => days.startsWith(typed)),
    units: (typed) => unitSystems.filter((units) => units.startsWith(typed)),
  },
});
