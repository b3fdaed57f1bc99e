import { timeOf } from '../../view/model/fields.ts';
import type { Moment } from '../../view/model/weather.ts';

/** Hours from a local time on, each of which has `values`. */
export function hoursFrom(
  start: string,
  offset: string,
  count: number,
  values: (index: number) => Partial<Moment> = () => ({}),
): Moment[] {
  const first = Date.parse(`${start}Z`);
  return Array.from({ length: count }, (_, index) => ({
    ...timeOf(`${new Date(first + index * 3_600_000).toISOString().slice(0, 16)}${offset}`)!,
    condition: 'Overcast',
    sky: 'cloudy',
    isDay: true,
    temperature: 10,
    feelsLike: null,
    humidity: null,
    precipitation: 0,
    chance: null,
    wind: 10,
    gusts: null,
    direction: 0,
    ...values(index),
  }));
}
