import { withoutStructuredContent } from '@mcp/protocol';
import { otherToolNames } from './input/other-names.ts';
import { airQuality } from './tools/air-quality.ts';
import { alerts, getAlerts } from './tools/alerts.ts';
import { current } from './tools/current.ts';
import { forecast } from './tools/forecast.ts';
import { getForecast } from './tools/get-forecast.ts';
import { history } from './tools/history.ts';
import { refreshForecast } from './tools/refresh-forecast.ts';
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
  refreshForecast,
  ...otherToolNames(searchPlace, 'find_place', 'find_location', 'geocode'),
  ...otherToolNames(current, 'get_current_weather', 'current_weather'),
  ...otherToolNames(forecast, 'get_weather_forecast', 'weather_forecast'),
  ...otherToolNames(airQuality, 'get_air_quality'),
  ...otherToolNames(alerts, 'get_weather_alerts', 'weather_alerts'),
];

/** The tools. Only with `structured` do they have output schemas, and their answers structured content. */
export function toolsOf(structured: boolean) {
  return structured ? all : all.map(withoutStructuredContent);
}
