import type { UnitSystem } from '@mcp/weather-data/units';
import type { Sky } from './sky.ts';

// The weather of one reading, checked: numbers are metric and finite, or null; texts can be shown.

export interface Reading {
  /** The time of the server at the reading, in milliseconds since 1970. */
  readonly now: number;
  /** The units that the user or the operator of the server has chosen. */
  readonly units: UnitSystem;
  readonly places: readonly PlaceWeather[];
}

/** The weather of a place, or why there is none. */
export interface PlaceWeather {
  /** The argument that denotes the place. */
  readonly asked: string;
  readonly name: string;
  /** State and country. */
  readonly region: string;
  readonly problem: string;
  /** The places that an ambiguous name may mean. */
  readonly candidates: readonly Candidate[];
  readonly current: Moment | undefined;
  readonly hours: readonly Moment[];
  readonly days: readonly Day[];
  readonly alerts: readonly Alert[];
  /** Why there are no alerts, or an empty text. */
  readonly alertsProblem: string;
  readonly source: Source;
}

export interface Candidate {
  readonly place: string;
  readonly text: string;
}

export interface Moment {
  /** In milliseconds since 1970. */
  readonly at: number;
  /** The local date, such as `2026-11-20`. */
  readonly date: string;
  /** The local time, such as `15:00`. */
  readonly clock: string;
  /** The offset of the local time, such as `+01:00`. */
  readonly offset: string;
  readonly condition: string;
  readonly sky: Sky;
  readonly isDay: boolean;
  readonly temperature: number | null;
  readonly feelsLike: number | null;
  readonly humidity: number | null;
  /** Of the hour before; so is the chance. */
  readonly precipitation: number | null;
  readonly chance: number | null;
  readonly wind: number | null;
  readonly gusts: number | null;
  /** Where the wind comes from, in degrees. */
  readonly direction: number | null;
}

export interface Day {
  readonly date: string;
  readonly condition: string;
  readonly sky: Sky;
  readonly low: number | null;
  readonly high: number | null;
  readonly precipitation: number | null;
  readonly chance: number | null;
  readonly wind: number | null;
}

export interface Alert {
  readonly event: string;
  readonly severity: 'Extreme' | 'Severe' | 'Moderate' | 'Minor' | 'Unknown';
  readonly area: string;
  /** Whether the area may not include the place. */
  readonly isUncertain: boolean;
  /** `Sat 28 Nov, 18:00`, or an empty text. */
  readonly from: string;
  readonly until: string;
  readonly sender: string;
  readonly texts: readonly string[];
}

export interface Source {
  readonly name: string;
  readonly isSample: boolean;
  readonly isStale: boolean;
  /** When the data were issued or, if that is unknown, fetched; in milliseconds since 1970. */
  readonly since: number | null;
  readonly isIssued: boolean;
  readonly zone: string;
  readonly attribution: string;
  readonly notes: readonly string[];
}
