import type { FetchOptions, Fetched } from '../cache/upstream-document.ts';
import type { Geocoder } from '../places/find-place.ts';
import type { Place } from '../places/place.ts';
import type { AirQuality, Alerts, Series, Spread } from '../model/series.ts';

/** The area for which alerts are requested: a place, or a state or territory of the United States. */
export type AlertArea = { readonly place: Place } | { readonly state: string };

/** A source of weather. It rejects with `not_supported` for a product that it does not have. */
export interface Provider extends Geocoder {
  readonly name: ProviderName;
  current(place: Place, options: FetchOptions): Promise<Fetched<Series>>;
  /** Returns at least `days` days from today, or as many as the source has. */
  forecast(place: Place, days: number, options: FetchOptions): Promise<Fetched<Series>>;
  /** `start` and `end` are local dates, both included. */
  history(place: Place, start: string, end: string, options: FetchOptions): Promise<Fetched<Series>>;
  /** Returns the hours of the sea at a place. If the place is inland, all values are null. */
  marine(place: Place, days: number, options: FetchOptions): Promise<Fetched<Series>>;
  /** Returns how far several models differ on each day. */
  spread(place: Place, days: number, options: FetchOptions): Promise<Fetched<Spread>>;
  airQuality(place: Place, options: FetchOptions): Promise<Fetched<AirQuality>>;
  alerts(area: AlertArea, options: FetchOptions): Promise<Fetched<Alerts>>;
}

/** The maximum number of days of a forecast, today included. */
export const maxForecastDays = 16;

export const providerNames = ['open-meteo', 'nws', 'dataset'] as const;

export type ProviderName = (typeof providerNames)[number];
