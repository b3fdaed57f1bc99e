import type { Forecasts } from './backend/weather-service.ts';

/** What every handler can reach. */
export type Weather = { readonly forecasts: Forecasts };
