import { unitSystems } from '@mcp/weather-data';
import { placeResource } from '../input/place-resource.ts';

export const forecast = placeResource<{ days?: string; units?: string }>({
  uri: 'weather://{place}/forecast{?days,units}',
  name: 'forecast',
  title: 'Forecast',
  description: 'The next days: 7 by default, at most 16; in metric, imperial or si.',
  answer: async ({ weather, place, variables, options }) => {
    const [{ forecastAnswer }, { parseDays, parseUnits }] = await Promise.all([
      import('@mcp/weather-data'),
      import('../input/forecast-query.ts'),
    ]);
    const days = parseDays(variables.days ?? '7');
    const units = parseUnits(variables.units ?? weather.units);
    return forecastAnswer(weather, place, { days, hourly: false, units }, options);
  },
  isListed: () => true,
  complete: {
    days: (typed) => ['1', '3', '7', '10', '16'].filter((days) => days.startsWith(typed)),
    units: (typed) => unitSystems.filter((units) => units.startsWith(typed)),
  },
});
