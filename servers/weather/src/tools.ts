import { withoutStructuredContent } from '@mcp/protocol';
import { otherNames } from './input/other-names.ts';
import { airQuality } from './tools/air-quality.ts';
import { alerts, getAlerts } from './tools/alerts.ts';
import { current } from './tools/current.ts';
import { forecast } from './tools/forecast.ts';
import { getForecast } from './tools/get-forecast.ts';
import { history } from './tools/history.ts';
import { removePlace, savePlace } from './tools/save-place.ts';
import { searchPlace } from './tools/search-place.ts';

const all = [
  searchPlace,
  current,
  forecast,
  history,
  alerts,
  airQuality,
  savePlace,
  removePlace,
  getForecast,
  getAlerts,
  ...otherNames(searchPlace, 'find_place', 'find_location', 'geocode'),
  ...otherNames(current, 'get_current_weather', 'current_weather'),
  ...otherNames(forecast, 'get_weather_forecast', 'weather_forecast'),
  ...otherNames(airQuality, 'get_air_quality'),
  ...otherNames(alerts, 'get_weather_alerts', 'weather_alerts'),
];

/** The tools. Only with `structured` do they have output schemas, and their answers structured content. */
export function toolsOf(structured: boolean) {
  return structured ? all : all.map(withoutStructuredContent);
}
