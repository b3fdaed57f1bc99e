import { coordinatesText } from '../../places/coordinates.ts';
import type { FetchOptions, Fetched, UpstreamDocument } from '../../cache/upstream-document.ts';
import { WeatherError } from '../../errors.ts';
import { invalidReply } from '../../json-fields.ts';
import { HostLimiter } from '../../http/host-limiter.ts';
import type { DocumentCache } from '../../cache/document-cache.ts';
import { readAlerts } from './alerts.ts';
import { type GridPoint, readNwsForecast, readObservation, readPoint, readStation } from './format.ts';
import { type Candidate, type Place, placeText } from '../../places/place.ts';
import type { AlertArea, Provider } from '../provider.ts';
import type { AirQuality, Alerts, Series, Spread } from '../../model/series.ts';

export interface NwsOptions {
  readonly documents: DocumentCache;
  readonly baseUrl?: URL | undefined;
  readonly now: () => number;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How a product is requested. */
interface DocumentSpec<Model> extends Pick<
  UpstreamDocument<Model>,
  'product' | 'freshMs' | 'keepMs' | 'read'
> {
  readonly path: string;
}

/** Weather and official alerts for the United States from the National Weather Service. */
export class Nws implements Provider {
  readonly name = 'nws';
  readonly #options: NwsOptions;
  readonly #base: URL;
  readonly #limiter = new HostLimiter({ concurrency: 2 });

  constructor(options: NwsOptions) {
    this.#options = options;
    this.#base = options.baseUrl ?? new URL('https://api.weather.gov');
  }

  async current(place: Place, options: FetchOptions): Promise<Fetched<Series>> {
    const { model: point } = await this.#point(place, options);
    const station = await this.#load(options, {
      product: 'stations',
      path: this.#pathIn(point.stations),
      freshMs: day,
      keepMs: 30 * day,
      read: readStation,
    });
    return this.#load(options, {
      product: 'current',
      path: `stations/${station.model}/observations/latest`,
      freshMs: 10 * minute,
      keepMs: day,
      read: (json) => readObservation(json, point.timezone),
    });
  }

  async forecast(place: Place, _days: number, options: FetchOptions): Promise<Fetched<Series>> {
    return this.#ofPoint(place, options, async ({ hourly, forecast, timezone }) => {
      const each = (product: string, address: string) =>
        this.#load(options, {
          product,
          path: this.#pathIn(address),
          freshMs: hour,
          keepMs: 7 * day,
          read: (json) => validatePeriods(json),
        });
      const [hours, halves] = await Promise.all([each('hourly', hourly), each('forecast', forecast)]);
      const older = hours.fetchedAt <= halves.fetchedAt ? hours : halves;
      const problem = hours.problem ?? halves.problem;
      return {
        ...older,
        model: readNwsForecast(hours.model, halves.model, timezone),
        stale: hours.stale || halves.stale,
        ...(problem && { problem }),
      };
    });
  }

  history(): Promise<Fetched<Series>> {
    return notSupported('history');
  }

  marine(): Promise<Fetched<Series>> {
    return notSupported('sea forecast');
  }

  spread(): Promise<Fetched<Spread>> {
    return notSupported('range of several models');
  }

  airQuality(): Promise<Fetched<AirQuality>> {
    return notSupported('air quality');
  }

  search(): Promise<Fetched<readonly Candidate[]>> {
    return notSupported('search for places');
  }

  async alerts(area: AlertArea, options: FetchOptions): Promise<Fetched<Alerts>> {
    if ('place' in area && isFarAway(area.place)) throw notCovered(area.place);
    const where = 'state' in area ? `area=${area.state}` : `point=${coordinatesText(area.place)}`;
    try {
      return await this.#load(options, {
        product: 'alerts',
        path: `alerts/active?${where}`,
        freshMs: 2 * minute,
        keepMs: day,
        read: readAlerts,
      });
    } catch (error) {
      // For a place outside the area of NWS, this endpoint reports an invalid parameter.
      if ('place' in area && isRefused(error, 'InvalidParameter')) throw notCovered(area.place, error);
      throw error;
    }
  }

  async #point(place: Place, options: FetchOptions): Promise<Fetched<GridPoint>> {
    if (isFarAway(place)) throw notCovered(place);
    try {
      return await this.#load(options, {
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

  /**
   * Calls `use` with the grid cell of a place. If NWS answers 404, the place may belong to another cell by
   * now, so the cell is fetched again, and `use` is called again.
   */
  async #ofPoint<Result>(
    place: Place,
    options: FetchOptions,
    use: (point: GridPoint) => Promise<Result>,
  ): Promise<Result> {
    const { model } = await this.#point(place, options);
    try {
      return await use(model);
    } catch (error) {
      if (isRefused(error, 'MarineForecastNotSupported')) {
        throw new WeatherError(
          'not_supported',
          `NWS has no forecast for open water: ${placeText(place)}`,
          {},
          { cause: error },
        );
      }
      if (!isRefused(error, undefined, 404) || options.offline) throw error;
      const again = await this.#point(place, { signal: options.signal, revalidate: true });
      return use(again.model);
    }
  }

  #load<Model>(options: FetchOptions, { path, ...spec }: DocumentSpec<Model>): Promise<Fetched<Model>> {
    const url = new URL(`${this.#base.href.replace(/\/?$/, '/')}${path}`);
    const document: UpstreamDocument<Model> = {
      ...spec,
      source: 'nws',
      key: url.href,
      request: () => ({ url, limiter: this.#limiter, accept: 'application/geo+json' }),
    };
    return Promise.resolve(this.#options.documents.load(document, options));
  }

  /** Returns only the path of a URL, so that a document cannot send requests to another host. */
  #pathIn(address: string): string {
    const path = URL.canParse(address) ? new URL(address).pathname : address;
    if (!/^\/?[\w/,.-]+$/.test(path) || path.includes('..')) {
      throw invalidReply('The description of the point by NWS has an unexpected forecast URL');
    }
    return path.replace(/^\//, '');
  }
}

/** Whether a place is certainly outside the area of NWS, so that no request is necessary. */
function isFarAway({ latitude, longitude }: Place): boolean {
  const isAmerican = longitude <= -60;
  // The part of the area west of 180°: from Palau and Guam to the western Aleutian Islands.
  const isPacific = longitude >= 130;
  return latitude < -20 || latitude > 75 || !(isAmerican || isPacific);
}

/** Checks the format of a document, and returns it unparsed: it is parsed later, with another document. */
function validatePeriods(json: unknown): unknown {
  readNwsForecast(json, json, undefined);
  return json;
}

function isRefused(error: unknown, type: string | undefined, status?: number): boolean {
  if (!(error instanceof WeatherError) || error.kind !== 'refused') return false;
  return (
    (type === undefined || error.facts['type'] === type) &&
    (status === undefined || error.facts['status'] === status)
  );
}

function notCovered(place: Place, cause?: unknown): WeatherError {
  return new WeatherError(
    'not_supported',
    `NWS covers only the United States and its territories, not ${placeText(place)}`,
    {},
    { cause },
  );
}

function notSupported(product: string): Promise<never> {
  return Promise.reject(
    new WeatherError('not_supported', `NWS has no ${product}; the provider open-meteo has it`),
  );
}
