import type { WeatherService } from '@mcp/weather-data';

/** What the handlers share. */
export interface WeatherContext {
  readonly weather: WeatherService;
}
