import { unitSystems } from '@mcp/weather-data';
import { placeResource } from '../input/place-resource.ts';
import { parseDays, parseUnits } from '../input/uri-variables.ts';

export const forecast = placeResource<{ days?: string; units?: string }>({
  uri: 'weather://{place}/forecast{?days,units}',
  name: 'forecast',
  title: 'Forecast',
  description: 'The next days: 7 by default, at most 16; in metric, imperial or si.',
  answer: ({ answers, weather, place, variables, options }) => {
    const days = parseDays(variables.days ?? '7');
    const units = parseUnits(variables.units ?? weather.units);
    return answers.forecast(place, { days, hourly: false, units }, options);
  },
  isListed: () => true,
  complete: {
    days: (typed) => ['1', '3', '7', '10', '16'].filter((days) => days.startsWith(typed)),
    units: (typed) => unitSystems.filter((units) => units.startsWith(typed)),
  },
});
