import type { Ask, Read } from '../cache/upstream-document.ts';
import type { Maybe } from '../maybe-promise.ts';
import type { Geocoder } from '../places/geocoder.ts';
import type { Place } from '../places/place.ts';
import type { AirQuality, Alerts, Series } from '../model/series.ts';

/** Where alerts are asked for: a place, or a state or territory of the United States. */
export type AlertArea = { readonly place: Place } | { readonly state: string };

/** A source of weather. What one does not have is a `Failure` of kind `not_supported`. */
export interface Provider extends Geocoder {
  readonly name: ProviderName;
  current(place: Place, ask: Ask): Maybe<Read<Series>>;
  /** From today on, for at least so many days where the source has them. */
  forecast(place: Place, days: number, ask: Ask): Maybe<Read<Series>>;
  /** Local dates, both included. */
  history(place: Place, start: string, end: string, ask: Ask): Maybe<Read<Series>>;
  airQuality(place: Place, ask: Ask): Maybe<Read<AirQuality>>;
  alerts(area: AlertArea, ask: Ask): Maybe<Read<Alerts>>;
}

export const providerNames = ['open-meteo', 'nws', 'dataset'] as const;

export type ProviderName = (typeof providerNames)[number];
