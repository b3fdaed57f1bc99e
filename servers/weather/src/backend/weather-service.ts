import { join } from 'node:path';
import { type Clock, systemClock } from './clock.ts';
import { Dataset } from './providers/dataset/provider.ts';
import type { Ask, Read } from './cache/upstream-document.ts';
import { Failure, quoted } from './errors.ts';
import { type Atlas, findPlace, type Found, searchPlaces } from './places/find-place.ts';
import { HttpClient, type HttpLimits } from './http/http-client.ts';
import { Library } from './cache/document-cache.ts';
import { ChangeWatcher } from './watch/change-watcher.ts';
import type { Maybe } from './maybe-promise.ts';
import { Nws } from './providers/nws/provider.ts';
import { OpenMeteo } from './providers/open-meteo/provider.ts';
import type { Candidate, Place } from './places/place.ts';
import type { AlertArea, Provider, ProviderName } from './providers/provider.ts';
import { SampleShelf } from './providers/dataset/sample-store.ts';
import { SavedPlaces } from './places/saved-places.ts';
import { DirectoryShelf } from './providers/dataset/document-store.ts';
import { Sweeper } from './cache/cache-cleanup.ts';
import type { UnitSystem } from './model/units.ts';
import { usStates } from './places/us-states.ts';
import type { AirQuality, Alerts, Series } from './model/series.ts';
import { addDays, isDate } from './model/time-zone.ts';

export interface ForecastsOptions {
  readonly provider: ProviderName;
  /** Serves the sample that comes with the program instead of a provider. */
  readonly demo?: boolean | undefined;
  readonly directories: Directories;
  /** Units of answers that ask for none. */
  readonly units?: UnitSystem | undefined;
  readonly baseUrls?: { readonly 'open-meteo'?: URL; readonly nws?: URL } | undefined;
  readonly apiKey?: string | undefined;
  readonly userAgent: string;
  readonly warn?: ((message: string) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly limits?: Partial<HttpLimits> | undefined;
}

/** Where things are kept: `places.json` and `dataset/` in `data`, answers of upstreams in `cache`. */
export interface Directories {
  readonly data: string;
  readonly cache: string;
}

export const mostForecastDays = 16;
const mostHistoryDays = 366;

/** Weather for places: finds the place, asks the provider, and watches what answers are made of. */
export class Forecasts {
  readonly saved: SavedPlaces;
  readonly units: UnitSystem;
  readonly clock: Clock;
  readonly live: ChangeWatcher;
  readonly #provider: Provider;
  readonly #alerts: Provider;
  readonly #atlas: Atlas;
  readonly #dataset: Dataset | undefined;
  readonly #sweeper: Sweeper | undefined;

  constructor(options: ForecastsOptions) {
    const {
      provider,
      demo = false,
      directories,
      units = 'metric',
      warn = () => {},
      clock = systemClock,
    } = options;
    this.units = units;
    this.clock = clock;
    this.saved = new SavedPlaces(join(directories.data, 'places.json'), warn);
    if (demo || provider === 'dataset') {
      const shelf = demo ? new SampleShelf() : new DirectoryShelf(join(directories.data, 'dataset'), warn);
      this.#dataset = new Dataset(shelf);
      this.#provider = this.#alerts = this.#dataset;
      this.#atlas = { saved: this.saved, geocoder: this.#dataset };
      this.live = new ChangeWatcher({ clock, warn });
      return;
    }
    const cache = join(directories.cache, 'v1');
    const client = new HttpClient({ userAgent: options.userAgent, limits: options.limits, clock });
    const sweeper = (this.#sweeper = new Sweeper({ directory: cache, now: clock.now }));
    const library = new Library({ directory: cache, client, clock, sweeper, warn });
    const { now } = clock;
    const openMeteo = new OpenMeteo({
      library,
      baseUrl: options.baseUrls?.['open-meteo'],
      apiKey: options.apiKey,
      now,
    });
    const nws = new Nws({ library, baseUrl: options.baseUrls?.nws, now });
    this.#provider = provider === 'nws' ? nws : openMeteo;
    this.#alerts = nws;
    this.#atlas = { saved: this.saved, geocoder: openMeteo };
    this.#dataset = undefined;
    this.live = new ChangeWatcher({ clock, warn, freshness: library });
  }

  /** What a text means: coordinates, a saved place, or a name. */
  find(text: string, ask: Ask = {}): Maybe<Found> {
    return findPlace(text, this.#atlas, ask);
  }

  async search(name: string, language: string, ask: Ask = {}): Promise<readonly Candidate[]> {
    if (!/^[a-z]{2}$/.test(language)) {
      throw new Failure(
        'invalid_argument',
        `A language is two letters such as "en" or "de", and not ${quoted(language)}`,
        { argument: 'language' },
      );
    }
    return searchPlaces(name, language, this.#atlas.geocoder, ask);
  }

  current(place: Place, ask: Ask = {}): Maybe<Read<Series>> {
    return this.#provider.current(place, ask);
  }

  forecast(place: Place, days: number, ask: Ask = {}): Maybe<Read<Series>> {
    return this.#provider.forecast(place, days, ask);
  }

  async history(place: Place, start: string, end: string, ask: Ask = {}): Promise<Read<Series>> {
    this.#checkRange(start, end);
    return this.#provider.history(place, start, end, ask);
  }

  airQuality(place: Place, ask: Ask = {}): Maybe<Read<AirQuality>> {
    return this.#provider.airQuality(place, ask);
  }

  async alerts(area: AlertArea, ask: Ask = {}): Promise<Read<Alerts>> {
    return this.#alerts.alerts(area, ask);
  }

  /** Names that a place may be asked for by, for completion: saved ones first. */
  async knownNames(): Promise<readonly string[]> {
    const saved = this.saved.all.map((place) => place.saved);
    const own = (await this.#dataset?.candidates({})) ?? [];
    return [...new Set([...saved, ...own.map(({ dataset }) => dataset)])];
  }

  /** Places of a dataset or sample, to be listed beside the saved ones. */
  async ownPlaces(ask: Ask = {}): Promise<readonly (Candidate & { dataset: string })[]> {
    return (await this.#dataset?.candidates(ask)) ?? [];
  }

  /** Resolves when nothing is done in the background. */
  async idle(): Promise<void> {
    await this.#sweeper?.idle();
  }

  close(): void {
    this.live.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #checkRange(start: string, end: string): void {
    for (const [argument, date] of [
      ['start', start],
      ['end', end],
    ] as const) {
      if (!isDate(date))
        throw new Failure(
          'invalid_argument',
          `${argument} is a date such as 2026-11-20, and not ${quoted(date)}`,
          { argument },
        );
    }
    if (start > end)
      throw new Failure('invalid_argument', `start must not be after end: ${start} is after ${end}`, {
        argument: 'start',
      });
    if (start < '1940-01-01')
      throw new Failure('invalid_argument', `start must not be before 1940-01-01, and is ${start}`, {
        argument: 'start',
      });
    // Somewhere it is tomorrow already.
    const tomorrow = addDays(new Date(this.clock.now()).toISOString().slice(0, 10), 1);
    if (end > tomorrow)
      throw new Failure(
        'invalid_argument',
        `end must not be in the future, and is ${end}. Ask for the forecast`,
        { argument: 'end' },
      );
    if (addDays(start, mostHistoryDays) <= end)
      throw new Failure('invalid_argument', `At most ${mostHistoryDays} days can be asked for at once`, {
        argument: 'start',
      });
  }
}

/** The abbreviation of a state or territory of the United States. */
export function checkedState(state: string): string {
  const name = state.trim();
  const code = name.toUpperCase();
  if (Object.hasOwn(usStates, code)) return code;
  const found = Object.entries(usStates).find(([, each]) => each.toLowerCase() === name.toLowerCase());
  if (found) return found[0];
  throw new Failure(
    'invalid_argument',
    `state is a two-letter code of the United States such as CA or NY, and not ${quoted(state)}`,
    { argument: 'state' },
  );
}
