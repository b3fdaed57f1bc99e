import { WeatherAnswers, WeatherService, type WeatherServiceOptions } from '@mcp/weather-data';

/** The context of all handlers: the weather as numbers, and the answers that are composed from it. */
export interface WeatherContext {
  readonly weather: WeatherService;
  readonly answers: WeatherAnswers;
}

export function openContext(options: WeatherServiceOptions): WeatherContext {
  const weather = new WeatherService(options);
  return { weather, answers: new WeatherAnswers(weather) };
}
