import type { Coordinates } from '../places/coordinates.ts';
import type { Values } from './measures.ts';
import type { Zone } from './time-zone.ts';

/** What is at an instant, in seconds since 1970, or in the hour before it. */
export interface Moment {
  readonly time: number;
  readonly values: Values;
  /** In the source's own words, where it has some. */
  readonly text?: string;
}

/** What a local day is like. */
export interface Day {
  /** `2026-11-20` */
  readonly date: string;
  readonly values: Values;
  readonly text?: string;
  /** Instants; null where there is none, because of the season or because nobody said. */
  readonly sunrise: number | null;
  readonly sunset: number | null;
  readonly sun?: 'up all day' | 'down all day';
  /** How many of its hours are known, where that is not all of them. */
  readonly incomplete?: string;
}

/** Weather over time at one point: now, in the next days, or in the past. */
export interface Series {
  /** Where the source's grid cell or station is. */
  readonly grid: Coordinates | undefined;
  /** Metres above the sea. */
  readonly elevation: number | undefined;
  readonly zone: Zone;
  /** When the source made it; null where it does not say. */
  readonly issuedAt: number | null;
  readonly current: Moment | undefined;
  readonly hours: readonly Moment[];
  readonly days: readonly Day[];
  /** What a reader must know to read it right. */
  readonly notes: readonly string[];
}

/** Air quality at one point. */
export interface AirQuality {
  readonly grid: Coordinates | undefined;
  readonly zone: Zone;
  readonly time: number;
  /** By the names in `air.ts`. */
  readonly values: { readonly [name: string]: number | null };
  readonly notes: readonly string[];
}

/** An official warning. */
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
  /** As the office wrote them, ISO 8601 with an offset. */
  readonly sent: string | null;
  readonly onset: string | null;
  /** When the event ends; where the office has not said, when the message expires. */
  readonly ends: string | null;
  /** Zones and counties of the United States, by their UGC codes, such as `TXZ205`. */
  readonly zones: readonly string[];
  /** Instant after which the message no longer counts. */
  readonly over: number | null;
}

/** The warnings for a place or an area. */
export interface Alerts {
  readonly title: string | null;
  readonly issuedAt: number | null;
  /** Most severe first. */
  readonly alerts: readonly Alert[];
  readonly notes: readonly string[];
}
