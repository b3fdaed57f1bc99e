import { airMeasures, readAirQuality } from './air-quality.ts';
import { coordinatesText } from '../../places/coordinates.ts';
import type { FetchOptions, Fetched, UpstreamDocument } from '../../cache/upstream-document.ts';
import { WeatherError } from '../../errors.ts';
import { readCandidates } from './geocoding.ts';
import { HostLimiter } from '../../http/host-limiter.ts';
import type { DocumentCache } from '../../cache/document-cache.ts';
import type { Measure } from '../../model/measures.ts';
import {
  currentVariables,
  dailyVariables,
  hourlyVariables,
  marineVariables,
  readSeries,
  sunVariables,
  type Variables,
} from './format.ts';
import { foldName, type Candidate, type Place } from '../../places/place.ts';
import type { AlertArea, Provider } from '../provider.ts';
import { Quota } from '../../http/quota.ts';
import { LruMap } from '../../cache/lru-map.ts';
import type { AirQuality, Alerts, Series } from '../../model/series.ts';
import { addDays } from '../../model/time-zone.ts';

type Api = 'forecast' | 'archive' | 'marine' | 'air-quality' | 'geocoding';

const hosts: { readonly [A in Api]: string } = {
  forecast: 'api',
  archive: 'archive-api',
  marine: 'marine-api',
  'air-quality': 'air-quality-api',
  geocoding: 'geocoding-api',
};

const paths: { readonly [A in Api]: string } = {
  forecast: 'v1/forecast',
  archive: 'v1/archive',
  marine: 'v1/marine',
  'air-quality': 'v1/air-quality',
  geocoding: 'v1/search',
};

export interface OpenMeteoOptions {
  readonly documents: DocumentCache;
  /** A mirror of all APIs; defaults to the hosts of Open-Meteo. */
  readonly baseUrl?: URL | undefined;
  /** The key of a customer; it is sent only in requests. */
  readonly apiKey?: string | undefined;
  readonly now: () => number;
}

/** The limits of the free API. */
const freeQuota = { minute: 600, hour: 5_000, day: 10_000 };

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The maximum length of a range that is fetched with its hours, which correct days across clock changes. */
const maxHourlyDays = 31;

/** The parameters of a query string. */
type QueryParameters = { readonly [name: string]: string };

/** How a product is requested. */
interface DocumentSpec<Model> {
  readonly api: Api;
  readonly parameters: QueryParameters;
  readonly freshMs: number;
  readonly keepMs: number;
  readonly weight?: number;
  readonly read: (json: unknown) => Model;
}

/** Worldwide weather from Open-Meteo, with or without a key. */
export class OpenMeteo implements Provider {
  readonly name = 'open-meteo';
  readonly #options: OpenMeteoOptions;
  readonly #limiters = new Map<string, HostLimiter>();
  /** Coordinates without a time zone, such as the poles. */
  readonly #withoutZone = new LruMap<true>(500);
  readonly #documents = new LruMap<UpstreamDocument<unknown>>(500);
  /** The same by place and product, without composing an id. */
  readonly #ofPlaces = new WeakMap<Place, LruMap<UpstreamDocument<unknown>>>();

  constructor(options: OpenMeteoOptions) {
    this.#options = options;
  }

  current(place: Place, options: FetchOptions): Promise<Fetched<Series>> {
    return this.#loadInLocalZone(place, options, 'current', () => ({
      api: 'forecast',
      parameters: { current: namesOf(currentVariables) },
      freshMs: 15 * minute,
      keepMs: day,
      read: (json) => readSeries(json, place),
    }));
  }

  forecast(place: Place, days: number, options: FetchOptions): Promise<Fetched<Series>> {
    // Two sizes, so that requests for different numbers of days share a document.
    const span = days <= 7 ? 8 : 16;
    return this.#loadInLocalZone(place, options, span === 8 ? 'forecast 8' : 'forecast 16', () => ({
      api: 'forecast',
      parameters: {
        hourly: namesOf(hourlyVariables),
        daily: [namesOf(dailyVariables), ...sunVariables].join(','),
        forecast_days: String(span),
      },
      freshMs: hour,
      keepMs: 7 * day,
      weight: span / 7,
      read: (json) => readSeries(json, place),
    }));
  }

  history(place: Place, start: string, end: string, options: FetchOptions): Promise<Fetched<Series>> {
    const days = (Date.parse(end) - Date.parse(start)) / day + 1;
    const today = new Date(this.#options.now()).toISOString().slice(0, 10);
    // Days may be delimited by another offset than their own; a day more at either end covers all their
    // hours.
    const last = addDays(end, 1);
    return this.#loadInLocalZone(place, options, `history ${start} ${end} ${today}`, () => ({
      api: 'archive',
      parameters: {
        start_date: start > '1940-01-01' ? addDays(start, -1) : start,
        end_date: last < today ? last : today,
        ...(days <= maxHourlyDays && { hourly: namesOf(measured(hourlyVariables)) }),
        daily: [namesOf(measured(dailyVariables)), ...sunVariables].join(','),
      },
      // The newest days are preliminary.
      freshMs: addDays(end, 10) < today ? 30 * day : 6 * hour,
      keepMs: 365 * day,
      weight: Math.max(1, days / 14),
      read: (json) => readSeries(json, place),
    }));
  }

  marine(place: Place, days: number, options: FetchOptions): Promise<Fetched<Series>> {
    const span = days <= 7 ? 8 : 16;
    return this.#loadInLocalZone(place, options, `marine ${span}`, () => ({
      api: 'marine',
      parameters: { hourly: namesOf(marineVariables), forecast_days: String(span) },
      freshMs: hour,
      keepMs: 7 * day,
      weight: span / 7,
      read: (json) => readSeries(json, place, marineVariables),
    }));
  }

  airQuality(place: Place, options: FetchOptions): Promise<Fetched<AirQuality>> {
    return this.#loadInLocalZone(place, options, 'air-quality', () => ({
      api: 'air-quality',
      parameters: { current: Object.keys(airMeasures).join(',') },
      freshMs: hour,
      keepMs: day,
      read: (json) => readAirQuality(json, place),
    }));
  }

  alerts(_area: AlertArea): Promise<Fetched<Alerts>> {
    return Promise.reject(new WeatherError('not_supported', 'Open-Meteo has no official alerts'));
  }

  async search(
    name: string,
    language: string,
    options: FetchOptions,
  ): Promise<Fetched<readonly Candidate[]>> {
    const folded = foldName(name);
    const document = this.#document(`search ${language} ${folded}`, () => ({
      api: 'geocoding',
      parameters: { name: folded, count: '50', language, format: 'json' },
      freshMs: 7 * day,
      keepMs: 365 * day,
      read: readCandidates,
    }));
    return this.#options.documents.load(document, options);
  }

  /** Requests the zone of the place, or UTC where the upstream finds none, as at the poles. */
  async #loadInLocalZone<Model>(
    place: Place,
    options: FetchOptions,
    what: string,
    describe: () => DocumentSpec<Model>,
  ): Promise<Fetched<Model>> {
    const { documents } = this.#options;
    try {
      const known = this.#ofPlaces.get(place)?.get(what) as UpstreamDocument<Model> | undefined;
      return await documents.load(known ?? this.#inLocalZone(place, what, describe), options);
    } catch (error) {
      const refused = error instanceof WeatherError && error.kind === 'refused';
      if (!refused || !/time ?zone/i.test(String(error.facts['reason']))) throw error;
      this.#withoutZone.set(coordinatesText(place), true);
      return documents.load(this.#inLocalZone(place, what, describe), options);
    }
  }

  /** Describes a document about a place, which is found by the place from then on. */
  #inLocalZone<Model>(
    place: Place,
    what: string,
    describe: () => DocumentSpec<Model>,
  ): UpstreamDocument<Model> {
    const timezone = this.#withoutZone.get(coordinatesText(place)) ? 'GMT' : (place.timezone ?? 'auto');
    const document = this.#document(`${what} ${place.latitude} ${place.longitude} ${timezone}`, () => {
      const spec = describe();
      return {
        ...spec,
        parameters: { ...at(place), ...spec.parameters, timeformat: 'unixtime', timezone },
      };
    });
    let ofPlace = this.#ofPlaces.get(place);
    if (!ofPlace) this.#ofPlaces.set(place, (ofPlace = new LruMap(20)));
    ofPlace.set(what, document);
    return document;
  }

  /** Returns a document by its id, whose first word is the product; it is described once. */
  #document<Model>(id: string, describe: () => DocumentSpec<Model>): UpstreamDocument<Model> {
    let document = this.#documents.get(id) as UpstreamDocument<Model> | undefined;
    if (!document) this.#documents.set(id, (document = this.#documentOf(id, describe())));
    return document;
  }

  #documentOf<Model>(id: string, spec: DocumentSpec<Model>): UpstreamDocument<Model> {
    const url = this.#urlOf(spec.api, spec.parameters);
    return {
      source: 'open-meteo',
      product: id.split(' ')[0]!,
      key: url.href,
      freshMs: spec.freshMs,
      keepMs: spec.keepMs,
      read: spec.read,
      request: () => ({
        url: this.#withKey(url),
        limiter: this.#limiterOf(url),
        weight: Math.max(1, spec.weight ?? 1),
      }),
    };
  }

  #urlOf(api: Api, parameters: QueryParameters): URL {
    const { baseUrl, apiKey } = this.#options;
    const customer = apiKey === undefined ? '' : 'customer-';
    const url = baseUrl
      ? new URL(`${baseUrl.href.replace(/\/?$/, '/')}${paths[api]}`)
      : new URL(`https://${customer}${hosts[api]}.open-meteo.com/${paths[api]}`);
    url.search = new URLSearchParams(parameters).toString();
    return url;
  }

  /** Adds the key last, so that it is in no file, message or log. */
  #withKey(url: URL): URL {
    const { apiKey } = this.#options;
    if (apiKey === undefined) return url;
    const secret = new URL(url);
    secret.searchParams.set('apikey', apiKey);
    return secret;
  }

  /** Open-Meteo processes one request of a client address at a time. */
  #limiterOf({ host }: URL): HostLimiter {
    let limiter = this.#limiters.get(host);
    if (!limiter) {
      const { apiKey } = this.#options;
      limiter = new HostLimiter({
        concurrency: 1,
        ...(apiKey === undefined && { quota: new Quota(freeQuota) }),
      });
      this.#limiters.set(host, limiter);
    }
    return limiter;
  }
}

function at(place: Place): QueryParameters {
  const [latitude, longitude] = coordinatesText(place).split(',');
  return { latitude: latitude!, longitude: longitude! };
}

/** Returns the variables without those that exist only in forecasts. */
function measured(variables: Variables): Variables {
  const forecast: readonly string[] = ['precipitationChance', 'uvIndex'] satisfies Measure[];
  return Object.fromEntries(Object.entries(variables).filter(([measure]) => !forecast.includes(measure)));
}

function namesOf(variables: Variables): string {
  return Object.values(variables).join(',');
}
