import type { Coordinates } from '../places/coordinates.ts';
import type { Measure, Values } from './measures.ts';
import type { Zone } from './time-zone.ts';

/** The values at `time`, in seconds since 1970. Some measures describe the hour before `time` instead. */
export interface Moment {
  readonly time: number;
  readonly values: Values;
  /** The weather condition in the words of the source, if it has any. */
  readonly text?: string;
}

export interface Day {
  /** The local date, such as `2026-11-20`. */
  readonly date: string;
  readonly values: Values;
  readonly text?: string;
  /** The instant of sunrise, in seconds since 1970; null if it is unknown, or the sun does not rise. */
  readonly sunrise: number | null;
  readonly sunset: number | null;
  readonly sun?: 'up all day' | 'down all day';
  /** How many hours are known, if some are missing, such as `20 of 24 hours`. */
  readonly incomplete?: string;
}

/** Weather over time at one point: current, forecast or past. */
export interface Series {
  /** The position of the source's grid cell or station. */
  readonly grid: Coordinates | undefined;
  /** The elevation in metres above sea level. */
  readonly elevation: number | undefined;
  readonly zone: Zone;
  /** When the source issued the data, in seconds since 1970; null if that is unknown. */
  readonly issuedAt: number | null;
  readonly current: Moment | undefined;
  /** The precipitation of the next quarters of an hour, if requested. Each `time` is the end of a quarter. */
  readonly quarters?: readonly Moment[];
  readonly hours: readonly Moment[];
  readonly days: readonly Day[];
  /** Notes on the quality of the data. */
  readonly notes: readonly string[];
}

/** The measures of which several models are compared. */
export type RangeMeasure = Extract<Measure, 'temperatureMax' | 'temperatureMin' | 'precipitation'>;

/** The lowest and the highest value that several models predict for a day. */
export type Ranges = { readonly [M in RangeMeasure]?: readonly [number, number] };

/** How far the forecasts of several weather models differ. `days` is keyed by local date. */
export interface Spread {
  readonly models: readonly string[];
  readonly days: ReadonlyMap<string, Ranges>;
  readonly notes: readonly string[];
}

export interface AirQuality {
  readonly grid: Coordinates | undefined;
  readonly zone: Zone;
  readonly time: number;
  /** The values, by the names of the variables in `air-quality.ts`. */
  readonly values: { readonly [name: string]: number | null };
  readonly notes: readonly string[];
}

export interface Alert {
  readonly id: string;
  readonly event: string;
  readonly severity: 'Extreme' | 'Severe' | 'Moderate' | 'Minor' | 'Unknown';
  readonly urgency: string;
  readonly certainty: string;
  readonly area: string;
  readonly headline: string | null;
  readonly description: string | null;
  readonly instruction: string | null;
  readonly sender: string | null;
  /** When the alert was sent, as the office writes it: ISO 8601 with an offset. */
  readonly sent: string | null;
  readonly onset: string | null;
  /** When the event ends or, if that is unknown, when the alert expires. */
  readonly ends: string | null;
  /** The language of the texts, such as `de-DE`, if the source says it. */
  readonly language?: string;
  /** What assigned the alert to the place. With `country`, the alert's area may not include the place. */
  readonly reach?: 'outline' | 'area name' | 'country';
  /** UGC codes of zones and counties of the United States, such as `TXZ205`. */
  readonly zones: readonly string[];
  /** The instant at which the alert ends, in seconds since 1970. */
  readonly endsAt: number | null;
}

export interface Alerts {
  readonly issuedAt: number | null;
  readonly alerts: readonly Alert[];
  readonly notes: readonly string[];
}
