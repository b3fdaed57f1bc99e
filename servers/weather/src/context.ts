import type { WeatherService } from './backend/weather-service.ts';

/** The context of all handlers. */
export interface WeatherContext {
  readonly weather: WeatherService;
}
