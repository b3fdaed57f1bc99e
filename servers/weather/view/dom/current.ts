import type { UnitSystem } from '@mcp/weather-data/units';
import { degrees, valueText, windText } from '../model/quantities.ts';
import type { Day, Moment } from '../model/weather.ts';
import { element, region } from '@mcp/views/dom';
import { icon } from './icons.ts';

interface Current {
  readonly moment: Moment | undefined;
  readonly today: Day | undefined;
  readonly units: UnitSystem;
}

/** The weather now, with the range of the day. */
export function currentIn(part: HTMLElement): (current: Current) => void {
  return region(part, ({ moment, today, units }) => {
    if (!moment) return [];
    const { temperature, feelsLike, precipitation, chance, humidity, condition } = moment;
    const range = today && `${degrees(today.high, units)} / ${degrees(today.low, units)}`;
    const rain = precipitation === null ? chance : precipitation;
    return [
      element(
        'div',
        { class: 'now' },
        icon(moment.sky, moment.isDay),
        element('p', { class: 'big' }, degrees(temperature, units)),
        element(
          'p',
          {},
          element('strong', {}, condition || 'Weather: no data'),
          feelsLike !== null && element('span', {}, `Feels like ${degrees(feelsLike, units)}`),
          range && element('span', {}, `Today ${range}`),
        ),
      ),
      element(
        'dl',
        {},
        ...fact('Wind', windText(moment, units)),
        ...(rain === null
          ? []
          : fact(
              precipitation === null ? 'Chance of rain' : 'Last hour',
              precipitation === null ? `${chance} %` : valueText(precipitation, 'precipitation', units),
            )),
        ...(humidity === null ? [] : fact('Humidity', `${Math.round(humidity)} %`)),
      ),
    ];
  });
}

function fact(name: string, value: string): HTMLElement[] {
  return [element('div', {}, element('dt', {}, name), element('dd', {}, value))];
}
