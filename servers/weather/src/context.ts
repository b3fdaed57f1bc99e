import type { Forecasts } from './backend/forecasts.ts';

/** What every handler can reach. */
export type Weather = { readonly forecasts: Forecasts };
