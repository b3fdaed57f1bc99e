import { airMeasures, readAirQuality } from './air-quality.ts';
import { coordinatesText } from '../../places/coordinates.ts';
import type { Ask, Read, UpstreamDocument } from '../../cache/upstream-document.ts';
import { Failure } from '../../errors.ts';
import { readCandidates } from './geocoding.ts';
import { Lane } from '../../http/host-limiter.ts';
import type { Library } from '../../cache/document-cache.ts';
import type { Maybe } from '../../maybe-promise.ts';
import type { Measure } from '../../model/measures.ts';
import {
  currentVariables,
  dailyVariables,
  hourlyVariables,
  readSeries,
  sunVariables,
  type Variables,
} from './format.ts';
import { foldName, type Candidate, type Place } from '../../places/place.ts';
import type { AlertArea, Provider } from '../provider.ts';
import { Quota } from '../../http/quota.ts';
import { Recent } from '../../cache/lru-map.ts';
import type { AirQuality, Alerts, Series } from '../../model/series.ts';
import { addDays } from '../../model/time-zone.ts';

type Api = 'forecast' | 'archive' | 'air-quality' | 'geocoding';

const hosts: { readonly [A in Api]: string } = {
  forecast: 'api',
  archive: 'archive-api',
  'air-quality': 'air-quality-api',
  geocoding: 'geocoding-api',
};

const paths: { readonly [A in Api]: string } = {
  forecast: 'v1/forecast',
  archive: 'v1/archive',
  'air-quality': 'v1/air-quality',
  geocoding: 'v1/search',
};

export interface OpenMeteoOptions {
  readonly library: Library;
  /** A mirror that has all of the APIs, instead of Open-Meteo's own hosts. */
  readonly baseUrl?: URL | undefined;
  /** Of a customer; it goes nowhere but to Open-Meteo. */
  readonly apiKey?: string | undefined;
  readonly now: () => number;
}

/** What the free API allows. */
const freeQuota = { minute: 600, hour: 5_000, day: 10_000 };

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How many days a range may have for which hours are asked too, so that days are right where clocks change. */
const mostHourlyDays = 31;

type Parameters = { readonly [name: string]: string };

interface Wanted<Model> {
  readonly api: Api;
  readonly parameters: Parameters;
  readonly freshMs: number;
  readonly keepMs: number;
  readonly weight?: number;
  readonly read: (json: unknown) => Model;
}

/** Weather for the whole world from Open-Meteo, without a key. */
export class OpenMeteo implements Provider {
  readonly name = 'open-meteo';
  readonly #options: OpenMeteoOptions;
  readonly #lanes = new Map<string, Lane>();
  /** Where the upstream has found no zone: it need not be asked for one again. */
  readonly #zoneless = new Recent<true>(500);
  readonly #documents = new Recent<UpstreamDocument<unknown>>(500);

  constructor(options: OpenMeteoOptions) {
    this.#options = options;
  }

  current(place: Place, ask: Ask): Maybe<Read<Series>> {
    return this.#inItsZone(place, ask, 'current', () => ({
      api: 'forecast',
      parameters: { current: namesOf(currentVariables) },
      freshMs: 15 * minute,
      keepMs: day,
      read: (json) => readSeries(json, place),
    }));
  }

  forecast(place: Place, days: number, ask: Ask): Maybe<Read<Series>> {
    // Two sizes, so that requests for few and for more days share what was fetched.
    const span = days <= 7 ? 8 : 16;
    return this.#inItsZone(place, ask, `forecast ${span}`, () => ({
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

  history(place: Place, start: string, end: string, ask: Ask): Maybe<Read<Series>> {
    const days = (Date.parse(end) - Date.parse(start)) / day + 1;
    const today = new Date(this.#options.now()).toISOString().slice(0, 10);
    // Days are counted with another offset than their own: one more at either end has all their hours.
    const last = addDays(end, 1);
    return this.#inItsZone(place, ask, `history ${start} ${end} ${today}`, () => ({
      api: 'archive',
      parameters: {
        start_date: start > '1940-01-01' ? addDays(start, -1) : start,
        end_date: last < today ? last : today,
        ...(days <= mostHourlyDays && { hourly: namesOf(measured(hourlyVariables)) }),
        daily: [namesOf(measured(dailyVariables)), ...sunVariables].join(','),
      },
      // The newest days are preliminary.
      freshMs: addDays(end, 10) < today ? 30 * day : 6 * hour,
      keepMs: 365 * day,
      weight: Math.max(1, days / 14),
      read: (json) => readSeries(json, place),
    }));
  }

  airQuality(place: Place, ask: Ask): Maybe<Read<AirQuality>> {
    return this.#inItsZone(place, ask, 'air-quality', () => ({
      api: 'air-quality',
      parameters: { current: Object.keys(airMeasures).join(',') },
      freshMs: hour,
      keepMs: day,
      read: (json) => readAirQuality(json, place),
    }));
  }

  alerts(_area: AlertArea): Promise<Read<Alerts>> {
    return Promise.reject(new Failure('not_supported', 'Open-Meteo has no official alerts'));
  }

  search(name: string, language: string, ask: Ask): Maybe<Read<readonly Candidate[]>> {
    const wanted = foldName(name);
    return this.#load(ask, `search ${language} ${wanted}`, () => ({
      api: 'geocoding',
      parameters: { name: wanted, count: '50', language, format: 'json' },
      freshMs: 7 * day,
      keepMs: 365 * day,
      read: readCandidates,
    }));
  }

  /** Asks in the place's own zone; where the upstream finds none, as at the poles, in UTC. */
  #inItsZone<Model>(place: Place, ask: Ask, what: string, want: () => Wanted<Model>): Maybe<Read<Model>> {
    const inZone = (timezone: string) =>
      this.#load(ask, `${what} ${place.latitude} ${place.longitude} ${timezone}`, () => {
        const wanted = want();
        return {
          ...wanted,
          parameters: { ...at(place), ...wanted.parameters, timeformat: 'unixtime', timezone },
        };
      });
    const point = coordinatesText(place);
    if (this.#zoneless.get(point)) return inZone('GMT');
    const read = inZone(place.timezone ?? 'auto');
    if (!(read instanceof Promise)) return read;
    return read.catch((error: unknown) => {
      const refused = error instanceof Failure && error.kind === 'refused';
      if (!refused || !/time ?zone/i.test(String(error.facts['reason']))) throw error;
      this.#zoneless.set(point, true);
      return inZone('GMT');
    });
  }

  /** Loads what begins with the name of a product; how to ask for it is worked out once. */
  #load<Model>(ask: Ask, what: string, want: () => Wanted<Model>): Maybe<Read<Model>> {
    let document = this.#documents.get(what) as UpstreamDocument<Model> | undefined;
    if (!document) this.#documents.set(what, (document = this.#documentOf(what, want())));
    return this.#options.library.load(document, ask);
  }

  #documentOf<Model>(what: string, wanted: Wanted<Model>): UpstreamDocument<Model> {
    const url = this.#urlOf(wanted.api, wanted.parameters);
    return {
      source: 'open-meteo',
      product: what.split(' ')[0]!,
      key: url.href,
      freshMs: wanted.freshMs,
      keepMs: wanted.keepMs,
      read: wanted.read,
      question: () => ({
        url: this.#withKey(url),
        lane: this.#laneOf(url),
        weight: Math.max(1, wanted.weight ?? 1),
      }),
    };
  }

  #urlOf(api: Api, parameters: Parameters): URL {
    const { baseUrl, apiKey } = this.#options;
    const customer = apiKey === undefined ? '' : 'customer-';
    const url = baseUrl
      ? new URL(`${baseUrl.href.replace(/\/?$/, '/')}${paths[api]}`)
      : new URL(`https://${customer}${hosts[api]}.open-meteo.com/${paths[api]}`);
    url.search = new URLSearchParams(parameters).toString();
    return url;
  }

  /** The key is added last, so that no file, no message and no log has it. */
  #withKey(url: URL): URL {
    const { apiKey } = this.#options;
    if (apiKey === undefined) return url;
    const secret = new URL(url);
    secret.searchParams.set('apikey', apiKey);
    return secret;
  }

  /** Open-Meteo works on one request of an address at a time. */
  #laneOf({ host }: URL): Lane {
    let lane = this.#lanes.get(host);
    if (!lane) {
      const { apiKey } = this.#options;
      lane = new Lane({ concurrency: 1, ...(apiKey === undefined && { quota: new Quota(freeQuota) }) });
      this.#lanes.set(host, lane);
    }
    return lane;
  }
}

function at(place: Place): Parameters {
  const [latitude, longitude] = coordinatesText(place).split(',');
  return { latitude: latitude!, longitude: longitude! };
}

/** Without what is only ever forecast. */
function measured(variables: Variables): Variables {
  const forecast: readonly string[] = ['precipitationChance', 'uvIndex'] satisfies Measure[];
  return Object.fromEntries(Object.entries(variables).filter(([measure]) => !forecast.includes(measure)));
}

function namesOf(variables: Variables): string {
  return Object.values(variables).join(',');
}
