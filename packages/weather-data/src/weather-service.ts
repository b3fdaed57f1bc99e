import { join } from 'node:path';
import { type Clock, systemClock } from './clock.ts';
import { Dataset } from './providers/dataset/provider.ts';
import type { FetchOptions, Fetched, Source } from './cache/upstream-document.ts';
import { invalidArgument, quoted } from './errors.ts';
import {
  hintsFor,
  type PlaceSources,
  findPlace,
  type PlaceMatch,
  searchPlaces,
} from './places/find-place.ts';
import { HttpClient, type HttpLimits } from './http/http-client.ts';
import { DocumentCache } from './cache/document-cache.ts';
import { ChangeWatcher } from './watch/change-watcher.ts';
import { MeteoAlarm } from './providers/meteoalarm/provider.ts';
import { Nws } from './providers/nws/provider.ts';
import { OfficialAlerts } from './providers/official-alerts.ts';
import { OpenMeteo } from './providers/open-meteo/provider.ts';
import type { Candidate, Place } from './places/place.ts';
import type { AlertArea, Provider, ProviderName } from './providers/provider.ts';
import { SampleStore } from './providers/dataset/sample-store.ts';
import { SavedPlaces } from './places/saved-places.ts';
import { DirectoryStore } from './providers/dataset/document-store.ts';
import { CacheCleanup } from './cache/cache-cleanup.ts';
import type { UnitSystem } from './model/units.ts';
import { ambiguousPlace } from './places/ambiguous-place.ts';
import { usStates } from './places/us-states.ts';
import type { AirQuality, Alerts, Series, Spread } from './model/series.ts';
import { addDays, assertDate } from './model/time-zone.ts';

/** Options of the service. */
export interface WeatherServiceOptions {
  /** `open-meteo` (worldwide), `nws` (United States) or `dataset` (files in `directories.data`). */
  readonly provider: ProviderName;
  /** Whether to return made-up sample data instead of using a provider; defaults to false. */
  readonly demo?: boolean | undefined;
  readonly directories: Directories;
  /** The units of calls that do not give units; defaults to metric. */
  readonly units?: UnitSystem | undefined;
  /** The base URLs of mirrors, by provider. */
  readonly baseUrls?: { readonly [Upstream in Source]?: URL } | undefined;
  /** The API key of a customer of Open-Meteo. */
  readonly apiKey?: string | undefined;
  /** The `User-Agent` of every request; the National Weather Service wants a contact address in it. */
  readonly userAgent: string;
  /** Called with each problem that is not reported to a caller, such as a file that cannot be read. */
  readonly warn?: ((message: string) => void) | undefined;
  /** The clock of the service; defaults to that of the system. */
  readonly clock?: Clock | undefined;
  /** Limits of a request; defaults to 3 attempts, 5 seconds for each, and 15 seconds for all together. */
  readonly limits?: Partial<HttpLimits> | undefined;
}

/** `data` is the directory of `places.json` and `dataset/`; `cache` has the cached documents of upstreams. */
export interface Directories {
  readonly data: string;
  readonly cache: string;
}

const maxHistoryDays = 366;
const firstHistoryDate = '1940-01-01';

/** Finds places, fetches their weather from the provider or the cache, and notifies of changes. */
export class WeatherService {
  /** The places that the user has saved under a name. */
  readonly saved: SavedPlaces;
  /** The units of an answer if the call gives none. */
  readonly units: UnitSystem;
  readonly isSample: boolean;
  readonly clock: Clock;
  readonly changes: ChangeWatcher;
  readonly #provider: Provider;
  readonly #alerts: Pick<Provider, 'alerts'>;
  /**
   * Has the products that NWS lacks, such as marine forecasts: Open-Meteo or, without online providers, the
   * dataset.
   */
  readonly #openMeteo: Provider;
  readonly #sources: PlaceSources;
  readonly #dataset: Dataset | undefined;
  readonly #cleanup: CacheCleanup | undefined;

  constructor(options: WeatherServiceOptions) {
    const {
      provider,
      demo = false,
      directories,
      units = 'metric',
      warn = () => {},
      clock = systemClock,
    } = options;
    this.units = units;
    this.isSample = demo;
    this.clock = clock;
    this.saved = new SavedPlaces(join(directories.data, 'places.json'), warn);
    if (demo || provider === 'dataset') {
      const store = demo
        ? new SampleStore(clock.now)
        : new DirectoryStore(join(directories.data, 'dataset'), warn);
      this.#dataset = new Dataset(store);
      this.#provider = this.#alerts = this.#openMeteo = this.#dataset;
      this.#sources = { saved: this.saved, geocoder: this.#dataset };
      this.changes = new ChangeWatcher({ clock, warn });
      return;
    }
    const cache = join(directories.cache, 'v1');
    const client = new HttpClient({ userAgent: options.userAgent, limits: options.limits, clock });
    const cleanup = (this.#cleanup = new CacheCleanup({ directory: cache, now: clock.now }));
    const documents = new DocumentCache({ directory: cache, client, clock, cleanup, warn });
    const { now } = clock;
    const openMeteo = new OpenMeteo({
      documents,
      baseUrl: options.baseUrls?.['open-meteo'],
      apiKey: options.apiKey,
      now,
    });
    const nws = new Nws({ documents, baseUrl: options.baseUrls?.nws, now });
    this.#provider = provider === 'nws' ? nws : openMeteo;
    const meteoAlarm = new MeteoAlarm({ documents, baseUrl: options.baseUrls?.meteoalarm });
    const zoneOf = async (place: Place, load: FetchOptions) =>
      (await openMeteo.current(place, load)).model.zone.name;
    this.#alerts = new OfficialAlerts({ nws, meteoAlarm, zoneOf });
    this.#openMeteo = openMeteo;
    this.#sources = { saved: this.saved, geocoder: openMeteo };
    this.#dataset = undefined;
    this.changes = new ChangeWatcher({ clock, warn, freshness: documents });
  }

  /** Returns the end of an error message: similar names, the places of the sample, or an empty text. */
  async hintFor(name: string, options: FetchOptions = {}): Promise<string> {
    return (await hintsFor(name, this.#sources.geocoder, options)).hint;
  }

  /** Finds the place that a text denotes: coordinates, a saved place, or a name. */
  find(text: string, options: FetchOptions = {}): Promise<PlaceMatch> {
    return findPlace(text, this.#sources, options);
  }

  /** Like `find`, but returns the only place. Rejects with kind `ambiguous_place` if there are several. */
  async findOnly(text: string, options: FetchOptions = {}): Promise<Place> {
    const found = await this.find(text, options);
    if ('place' in found) return found.place;
    throw ambiguousPlace(text, found.candidates);
  }

  /** Returns all places with a name, best first. `language` is a code of two letters, for their names. */
  async search(name: string, language: string, options: FetchOptions = {}): Promise<readonly Candidate[]> {
    if (!/^[a-z]{2}$/.test(language)) {
      throw invalidArgument(
        'language',
        `Invalid language: ${quoted(language)}; expected two letters such as "en" or "de"`,
      );
    }
    return searchPlaces(name, language, this.#sources.geocoder, options);
  }

  /**
   * Returns a series whose `current` is an observation or the forecast for now, depending on the provider.
   */
  current(place: Place, options: FetchOptions = {}): Promise<Fetched<Series>> {
    return this.#provider.current(place, options);
  }

  /** Returns hours and days from today on: at least `days` days, or as many as the source has. */
  forecast(place: Place, days: number, options: FetchOptions = {}): Promise<Fetched<Series>> {
    return this.#provider.forecast(place, days, options);
  }

  /** Returns a series with the hours of the sea. With the provider NWS, it comes from Open-Meteo. */
  marine(place: Place, days: number, options: FetchOptions = {}): Promise<Fetched<Series>> {
    return this.#openMeteo.marine(place, days, options);
  }

  /** Returns how far several models differ. With the provider NWS, this comes from Open-Meteo. */
  spread(place: Place, days: number, options: FetchOptions = {}): Promise<Fetched<Spread>> {
    return this.#openMeteo.spread(place, days, options);
  }

  /** Returns the local days from `start` (1940 or later) to `end`, both included; at most 366 days. */
  async history(
    place: Place,
    start: string,
    end: string,
    options: FetchOptions = {},
  ): Promise<Fetched<Series>> {
    this.#checkRange(start, end);
    return this.#provider.history(place, start, end, options);
  }

  /** Returns indices, pollutants and, in Europe, pollen. They come from Open-Meteo or a dataset. */
  airQuality(place: Place, options: FetchOptions = {}): Promise<Fetched<AirQuality>> {
    return this.#provider.airQuality(place, options);
  }

  /** Official alerts of a place, or of a state or territory of the United States, most severe first. */
  async alerts(area: AlertArea, options: FetchOptions = {}): Promise<Fetched<Alerts>> {
    return this.#alerts.alerts(area, options);
  }

  /** Returns the places of the dataset or the sample; an empty list with an online provider. */
  async datasetPlaces(options: FetchOptions = {}): Promise<readonly (Candidate & { dataset: string })[]> {
    return (await this.#dataset?.candidates(options)) ?? [];
  }

  /** Resolves when no background work is running. */
  async idle(): Promise<void> {
    await this.#cleanup?.idle();
  }

  /** Ends all watches of `changes`. */
  close(): void {
    this.changes.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #checkRange(start: string, end: string): void {
    assertDate(start, 'start');
    assertDate(end, 'end');
    if (start > end) throw invalidArgument('start', `Invalid start: ${start} is after end, ${end}`);
    if (start < firstHistoryDate)
      throw invalidArgument('start', `Invalid start: ${start}; expected ${firstHistoryDate} or later`);
    // The latest valid date is tomorrow in UTC, because in some time zones it is already the next day.
    const tomorrow = addDays(new Date(this.clock.now()).toISOString().slice(0, 10), 1);
    if (end > tomorrow) throw invalidArgument('end', `Invalid end: ${end} is in the future; use forecast`);
    if (addDays(start, maxHistoryDays) <= end)
      throw invalidArgument(
        'start',
        `Invalid range: ${start} to ${end}; expected at most ${maxHistoryDays} days`,
      );
  }
}

/** Returns the abbreviation of a state or territory of the United States for its name or its abbreviation. */
export function parseState(state: string): string {
  const name = state.trim();
  const code = name.toUpperCase();
  if (Object.hasOwn(usStates, code)) return code;
  const found = Object.entries(usStates).find(([, each]) => each.toLowerCase() === name.toLowerCase());
  if (found) return found[0];
  throw invalidArgument(
    'state',
    `Invalid state: ${quoted(state)}; expected a two-letter code of the United States such as CA or NY`,
  );
}
