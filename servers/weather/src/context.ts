import type { WeatherService } from './backend/weather-service.ts';

/** What the handlers share. */
export interface WeatherContext {
  readonly weather: WeatherService;
}
