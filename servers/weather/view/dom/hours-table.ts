import type { UnitSystem } from '@mcp/weather-data/units';
import { weekdayOf } from '../model/dates.ts';
import { valueText, windText } from '../model/quantities.ts';
import type { Moment } from '../model/weather.ts';
import { element, region } from '@mcp/views/dom';

interface Table {
  readonly hours: readonly Moment[];
  readonly units: UnitSystem;
}

const columns = ['Time', 'Weather', 'Temperature', 'Precipitation', 'Wind'];

/** The same hours as a table. */
export function hoursTableIn(part: HTMLElement): (table: Table) => void {
  return region(part, ({ hours, units }) => {
    const rows = hours.map((hour) =>
      element(
        'tr',
        {},
        element('th', { scope: 'row' }, `${weekdayOf(hour.date)} ${hour.clock}`),
        element('td', {}, hour.condition),
        element('td', {}, valueText(hour.temperature, 'temperature', units)),
        element('td', {}, valueText(hour.precipitation, 'precipitation', units)),
        element('td', {}, windText(hour, units)),
      ),
    );
    const head = columns.map((name) => element('th', { scope: 'col' }, name));
    return [
      element(
        'table',
        {},
        element('caption', { class: 'spoken' }, 'Hours; precipitation is that of the hour before'),
        element('thead', {}, element('tr', {}, ...head)),
        element('tbody', {}, ...rows),
      ),
    ];
  });
}
