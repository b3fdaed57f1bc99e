import { coordinatesText } from '../../places/coordinates.ts';
import type { Ask, Read, UpstreamDocument } from '../../cache/upstream-document.ts';
import { Failure } from '../../errors.ts';
import { Lane } from '../../http/host-limiter.ts';
import type { Library } from '../../cache/document-cache.ts';
import { readAlerts } from './alerts.ts';
import { type Point, readNwsForecast, readObservation, readPoint, readStation } from './format.ts';
import { type Candidate, type Place, placeText } from '../../places/place.ts';
import type { AlertArea, Provider } from '../provider.ts';
import type { AirQuality, Alerts, Series } from '../../model/series.ts';

export interface NwsOptions {
  readonly library: Library;
  readonly baseUrl?: URL | undefined;
  readonly now: () => number;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

interface Wanted<Model> {
  readonly product: string;
  readonly path: string;
  readonly freshMs: number;
  readonly keepMs: number;
  readonly read: (json: unknown) => Model;
}

/** Weather for the United States from the National Weather Service, with its official alerts. */
export class Nws implements Provider {
  readonly name = 'nws';
  readonly #options: NwsOptions;
  readonly #base: URL;
  readonly #lane = new Lane({ concurrency: 2 });
  readonly #joins = new WeakMap<Read<unknown>, { halves: Read<unknown>; read: Read<Series> }>();

  constructor(options: NwsOptions) {
    this.#options = options;
    this.#base = options.baseUrl ?? new URL('https://api.weather.gov');
  }

  async current(place: Place, ask: Ask): Promise<Read<Series>> {
    const { model: point } = await this.#point(place, ask);
    const station = await this.#load(ask, {
      product: 'stations',
      path: this.#pathIn(point.stations),
      freshMs: day,
      keepMs: 30 * day,
      read: readStation,
    });
    return this.#load(ask, {
      product: 'current',
      path: `stations/${station.model}/observations/latest`,
      freshMs: 10 * minute,
      keepMs: day,
      read: (json) => readObservation(json, point.timezone),
    });
  }

  async forecast(place: Place, _days: number, ask: Ask): Promise<Read<Series>> {
    const read = await this.#ofPoint(place, ask, async ({ hourly, forecast, timezone }) => {
      const each = (product: string, address: string) =>
        this.#load(ask, {
          product,
          path: this.#pathIn(address),
          freshMs: hour,
          keepMs: 7 * day,
          read: (json) => checkPeriods(json),
        });
      const [hours, halves] = await Promise.all([each('hourly', hourly), each('forecast', forecast)]);
      return { hours, halves, timezone };
    });
    return this.#joined(read.hours, read.halves, read.timezone);
  }

  /** Both forecasts as one; the same as before where both are. */
  #joined(hours: Read<unknown>, halves: Read<unknown>, timezone: string | undefined): Read<Series> {
    const known = this.#joins.get(hours);
    if (known?.halves === halves) return known.read;
    const older = hours.fetchedAt <= halves.fetchedAt ? hours : halves;
    const problem = hours.problem ?? halves.problem;
    const read = {
      ...older,
      model: readNwsForecast(hours.model, halves.model, timezone),
      stale: hours.stale || halves.stale,
      ...(problem && { problem }),
    };
    this.#joins.set(hours, { halves, read });
    return read;
  }

  history(): Promise<Read<Series>> {
    return notSupported('a history');
  }

  airQuality(): Promise<Read<AirQuality>> {
    return notSupported('air quality');
  }

  search(): Promise<Read<readonly Candidate[]>> {
    return notSupported('a search for places');
  }

  async alerts(area: AlertArea, ask: Ask): Promise<Read<Alerts>> {
    const where = 'state' in area ? `area=${area.state}` : `point=${coordinatesText(area.place)}`;
    try {
      return await this.#load(ask, {
        product: 'alerts',
        path: `alerts/active?${where}`,
        freshMs: 2 * minute,
        keepMs: day,
        read: readAlerts,
      });
    } catch (error) {
      // The same place that has no forecast with 404 is an invalid parameter here.
      if ('place' in area && isRefused(error, 'InvalidParameter')) throw notCovered(area.place, error);
      throw error;
    }
  }

  async #point(place: Place, ask: Ask): Promise<Read<Point>> {
    try {
      return await this.#load(ask, {
        product: 'points',
        path: `points/${coordinatesText(place)}`,
        freshMs: day,
        keepMs: 30 * day,
        read: readPoint,
      });
    } catch (error) {
      if (isRefused(error, 'InvalidPoint')) throw notCovered(place, error);
      throw error;
    }
  }

  /** Grids are moved now and then: one that is gone is looked for once more. */
  async #ofPoint<Result>(place: Place, ask: Ask, use: (point: Point) => Promise<Result>): Promise<Result> {
    const { model } = await this.#point(place, ask);
    try {
      return await use(model);
    } catch (error) {
      if (isRefused(error, 'MarineForecastNotSupported')) {
        throw new Failure(
          'not_supported',
          `NWS has no forecast on the water: ${placeText(place)}`,
          {},
          { cause: error },
        );
      }
      if (!isRefused(error, undefined, 404) || ask.offline) throw error;
      const again = await this.#point(place, { signal: ask.signal, anew: true });
      return use(again.model);
    }
  }

  #load<Model>(ask: Ask, { product, path, freshMs, keepMs, read }: Wanted<Model>): Promise<Read<Model>> {
    const url = new URL(`${this.#base.href.replace(/\/?$/, '/')}${path}`);
    const document: UpstreamDocument<Model> = {
      source: 'nws',
      product,
      key: url.href,
      freshMs,
      keepMs,
      read,
      question: () => ({ url, lane: this.#lane, accept: 'application/geo+json' }),
    };
    return Promise.resolve(this.#options.library.load(document, ask));
  }

  /** The path of an address in a document, asked of the base: a document does not choose the host. */
  #pathIn(address: string): string {
    const path = URL.canParse(address) ? new URL(address).pathname : address;
    if (!/^\/?[\w/,.-]+$/.test(path) || path.includes('..')) {
      throw new Failure(
        'invalid_reply',
        'The description of the point names a forecast at a strange address',
      );
    }
    return path.replace(/^\//, '');
  }
}

/** Documents are kept as they came, and read together. */
function checkPeriods(json: unknown): unknown {
  readNwsForecast(json, json, undefined);
  return json;
}

function isRefused(error: unknown, type: string | undefined, status?: number): boolean {
  if (!(error instanceof Failure) || error.kind !== 'refused') return false;
  return (
    (type === undefined || error.facts['type'] === type) &&
    (status === undefined || error.facts['status'] === status)
  );
}

function notCovered(place: Place, cause: unknown): Failure {
  return new Failure(
    'not_supported',
    `NWS covers the United States and its territories only, and not ${placeText(place)}`,
    {},
    { cause },
  );
}

function notSupported(what: string): Promise<never> {
  return Promise.reject(new Failure('not_supported', `NWS has not ${what}; --provider open-meteo does`));
}
