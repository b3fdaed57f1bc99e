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
  quarterVariables,
  readSeries,
  sunVariables,
  type Variables,
} from './format.ts';
import { foldName, type Candidate, type Place } from '../../places/place.ts';
import type { AlertArea, Provider } from '../provider.ts';
import { Quota } from '../../http/quota.ts';
import { LruMap } from '../../cache/lru-map.ts';
import { readSpread, spreadModels, spreadVariables } from './spread.ts';
import type { AirQuality, Alerts, Series, Spread } from '../../model/series.ts';
import { addDays } from '../../model/time-zone.ts';

const apis = {
  forecast: { host: 'api', path: 'v1/forecast' },
  archive: { host: 'archive-api', path: 'v1/archive' },
  marine: { host: 'marine-api', path: 'v1/marine' },
  'air-quality': { host: 'air-quality-api', path: 'v1/air-quality' },
  geocoding: { host: 'geocoding-api', path: 'v1/search' },
};

type Api = keyof typeof apis;

export interface OpenMeteoOptions {
  readonly documents: DocumentCache;
  /** The base URL of a mirror of all APIs; defaults to the hosts of Open-Meteo. */
  readonly baseUrl?: URL | undefined;
  /** The API key of a customer. Only requests contain it; files and messages do not. */
  readonly apiKey?: string | undefined;
  readonly now: () => number;
}

const freeQuota = { minute: 600, hour: 5_000, day: 10_000 };

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Up to this many days, history is fetched with hours, which correct the days around clock changes. */
const maxHourlyDays = 31;

type QueryParameters = { readonly [name: string]: string };

/** How a product is requested, kept and parsed. */
interface DocumentSpec<Model> extends Pick<UpstreamDocument<Model>, 'freshMs' | 'keepMs' | 'read'> {
  readonly api: Api;
  readonly parameters: QueryParameters;
  readonly weight?: number;
}

/** Worldwide weather from Open-Meteo, with or without an API key. */
export class OpenMeteo implements Provider {
  readonly name = 'open-meteo';
  readonly #options: OpenMeteoOptions;
  readonly #limiters = new Map<string, HostLimiter>();
  /** The points for which Open-Meteo finds no time zone, such as the poles. */
  readonly #withoutZone = new LruMap<true>(500);
  readonly #documents = new LruMap<UpstreamDocument<unknown>>(500);

  constructor(options: OpenMeteoOptions) {
    this.#options = options;
  }

  current(place: Place, options: FetchOptions): Promise<Fetched<Series>> {
    return this.#loadInLocalZone(place, options, 'current', () => ({
      api: 'forecast',
      parameters: {
        current: namesOf(currentVariables),
        minutely_15: namesOf(quarterVariables),
        // Ten quarters cover the next two hours, even when the document is already a quarter of an hour old.
        forecast_minutely_15: '10',
      },
      freshMs: 15 * minute,
      keepMs: day,
      read: (json) => readSeries(json, place),
    }));
  }

  forecast(place: Place, days: number, options: FetchOptions): Promise<Fetched<Series>> {
    // Only two lengths are requested, so that calls for different numbers of days share a document.
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
    // Open-Meteo may begin days at another offset, so one more day at either end is requested.
    const last = addDays(end, 1);
    return this.#loadInLocalZone(place, options, `history ${start} ${end} ${today}`, () => ({
      api: 'archive',
      parameters: {
        start_date: start > '1940-01-01' ? addDays(start, -1) : start,
        end_date: last < today ? last : today,
        ...(days <= maxHourlyDays && { hourly: namesOf(measured(hourlyVariables)) }),
        daily: [namesOf(measured(dailyVariables)), ...sunVariables].join(','),
      },
      // Open-Meteo may still correct the values of the last ten days, so these are fetched again sooner.
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

  spread(place: Place, days: number, options: FetchOptions): Promise<Fetched<Spread>> {
    const span = days <= 7 ? 8 : 16;
    return this.#loadInLocalZone(place, options, `spread ${span}`, () => ({
      api: 'forecast',
      parameters: {
        daily: Object.values(spreadVariables).join(','),
        models: Object.keys(spreadModels).join(','),
        forecast_days: String(span),
      },
      freshMs: 3 * hour,
      keepMs: 7 * day,
      // Open-Meteo counts the values of each model, so the request weighs more than a forecast of one model.
      weight: (span / 7) * 2,
      read: (json) => readSpread(json, place),
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

  /** Loads a document in the place's time zone, or in UTC if Open-Meteo finds no zone, as at the poles. */
  async #loadInLocalZone<Model>(
    place: Place,
    options: FetchOptions,
    what: string,
    describe: () => DocumentSpec<Model>,
  ): Promise<Fetched<Model>> {
    const { documents } = this.#options;
    try {
      return await documents.load(this.#inLocalZone(place, what, describe), options);
    } catch (error) {
      const refused = error instanceof WeatherError && error.kind === 'refused';
      if (!refused || !/time ?zone/i.test(String(error.facts['reason']))) throw error;
      this.#withoutZone.set(pointOf(place), true);
      return documents.load(this.#inLocalZone(place, what, describe), options);
    }
  }

  /** Returns a document about a place, whose request asks for the local time zone. */
  #inLocalZone<Model>(
    place: Place,
    what: string,
    describe: () => DocumentSpec<Model>,
  ): UpstreamDocument<Model> {
    const point = pointOf(place);
    const timezone = this.#withoutZone.get(point) ? 'GMT' : (place.timezone ?? 'auto');
    return this.#document(`${what} ${point} ${timezone}`, () => {
      const spec = describe();
      return {
        ...spec,
        parameters: { ...at(place), ...spec.parameters, timeformat: 'unixtime', timezone },
      };
    });
  }

  /**
   * Returns the document with this id, whose first word is the product. `describe` is called only the first
   * time that an id is used.
   */
  #document<Model>(id: string, describe: () => DocumentSpec<Model>): UpstreamDocument<Model> {
    let document = this.#documents.get(id) as UpstreamDocument<Model> | undefined;
    if (!document) this.#documents.set(id, (document = this.#documentOf(id, describe())));
    return document;
  }

  #documentOf<Model>(
    id: string,
    { api, parameters, weight = 1, ...spec }: DocumentSpec<Model>,
  ): UpstreamDocument<Model> {
    const url = this.#urlOf(api, parameters);
    const request = () => ({
      url: this.#withKey(url),
      limiter: this.#limiterOf(url),
      weight: Math.max(1, weight),
    });
    return { ...spec, source: 'open-meteo', product: id.split(' ')[0]!, key: url.href, request };
  }

  #urlOf(api: Api, parameters: QueryParameters): URL {
    const { baseUrl, apiKey } = this.#options;
    const { host, path } = apis[api];
    const customer = apiKey === undefined ? '' : 'customer-';
    const url = baseUrl
      ? new URL(`${baseUrl.href.replace(/\/?$/, '/')}${path}`)
      : new URL(`https://${customer}${host}.open-meteo.com/${path}`);
    url.search = new URLSearchParams(parameters).toString();
    return url;
  }

  /** Adds the API key only to the URL of the request, so that no file, message or log contains it. */
  #withKey(url: URL): URL {
    const { apiKey } = this.#options;
    if (apiKey === undefined) return url;
    const secret = new URL(url);
    secret.searchParams.set('apikey', apiKey);
    return secret;
  }

  /**
   * The limiter of a host. It allows one request at a time, because Open-Meteo processes requests from one
   * address one after the other.
   */
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

/** Returns a cache key for a point. The numbers are not rounded, because that would take too long. */
function pointOf({ latitude, longitude }: Place): string {
  return `${latitude} ${longitude}`;
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
