import { isObject, oneLine } from '@mcp/kit';
import { readAirQuality } from '../open-meteo/air-quality.ts';
import { coordinatesIn, distanceKm } from '../../places/coordinates.ts';
import type { FetchOptions, Fetched } from '../../cache/upstream-document.ts';
import { WeatherError, quoted } from '../../errors.ts';
import { readCandidates } from '../open-meteo/geocoding.ts';
import { listIn, member, objectIn, textIn } from '../../json-fields.ts';
import { alertsAt, isFeed, readFeed } from '../meteoalarm/feed.ts';
import { readAlerts } from '../nws/alerts.ts';
import { readNwsForecast, readObservation } from '../nws/format.ts';
import { marineVariables, oneReply, readSeries } from '../open-meteo/format.ts';
import { type Candidate, foldName, type Place, placeText } from '../../places/place.ts';
import type { AlertArea, Provider } from '../provider.ts';
import type { DocumentStore, StoredDocument } from './document-store.ts';
import { readSpread } from '../open-meteo/spread.ts';
import type { AirQuality, Alerts, Series, Spread } from '../../model/series.ts';

/** The maximum distance, in kilometres, of a requested place from the place whose data are returned. */
const maxDistanceKm = 50;

/** Weather from the files `<place>/<product>.json` of a dataset, in the formats of the online providers. */
export class Dataset implements Provider {
  readonly name = 'dataset';
  readonly #store: DocumentStore;

  constructor(store: DocumentStore) {
    this.#store = store;
  }

  async current(place: Place, options: FetchOptions): Promise<Fetched<Series>> {
    const directory = await this.#directoryOf(place, options);
    const document =
      (await this.#store.document(directory, 'current', options)) ??
      (await this.#store.document(directory, 'forecast', options));
    if (!document) throw await this.#noData(directory, 'current');
    const timezone = await this.#timezoneOf(directory, options);
    return this.#read(document, 'current', (json) =>
      isNws(json) && !isForecast(json) ? readObservation(json, timezone) : readSeries(json, place),
    );
  }

  async forecast(place: Place, _days: number, options: FetchOptions): Promise<Fetched<Series>> {
    const directory = await this.#directoryOf(place, options);
    const document = await this.#store.document(directory, 'forecast', options);
    const hourly = await this.#store.document(directory, 'hourly', options);
    const main = document ?? hourly;
    if (!main) throw await this.#noData(directory, 'forecast');
    if (!isForecast(main.json)) return this.#read(main, 'forecast', (json) => readSeries(json, place));
    const timezone = await this.#timezoneOf(directory, options);
    return this.#read(main, `forecast ${hourly?.storedAt}`, () =>
      readNwsForecast(hourly?.json, document?.json, timezone),
    );
  }

  async history(place: Place, start: string, end: string, options: FetchOptions): Promise<Fetched<Series>> {
    const { directory, document } = await this.#documentOf(place, 'history', options);
    const read = this.#read(document, 'history', (json) => readSeries(json, place));
    const dates = read.model.days.map(({ date }) => date);
    if (!dates.some((date) => date >= start && date <= end)) {
      throw new WeatherError(
        'no_data',
        `${this.#store.title} has the days from ${dates[0]} to ${dates.at(-1)} of ${quoted(directory)}, but none from ${start} to ${end}`,
      );
    }
    return read;
  }

  async marine(place: Place, _days: number, options: FetchOptions): Promise<Fetched<Series>> {
    const { document } = await this.#documentOf(place, 'marine', options);
    return this.#read(document, 'marine', (json) => readSeries(json, place, marineVariables));
  }

  async spread(place: Place, _days: number, options: FetchOptions): Promise<Fetched<Spread>> {
    const { document } = await this.#documentOf(place, 'models', options);
    return this.#read(document, 'models', (json) => readSpread(json, place));
  }

  async airQuality(place: Place, options: FetchOptions): Promise<Fetched<AirQuality>> {
    const { document } = await this.#documentOf(place, 'air-quality', options);
    return this.#read(document, 'air-quality', (json) => readAirQuality(json, place));
  }

  async alerts(area: AlertArea, options: FetchOptions): Promise<Fetched<Alerts>> {
    if ('place' in area) {
      const { document } = await this.#documentOf(area.place, 'alerts', options);
      if (!isFeed(document.json)) return this.#read(document, 'alerts', readAlerts);
      const feed = this.#read(document, 'feed of alerts', readFeed);
      const { country = 'its country' } = area.place;
      return { ...feed, model: alertsAt(feed.model, area.place, country) };
    }
    return this.#alertsOfState(area.state, options);
  }

  async #alertsOfState(state: string, options: FetchOptions): Promise<Fetched<Alerts>> {
    const reads: Fetched<Alerts>[] = [];
    for (const place of this.#store.places(options)) {
      const document = await this.#store.document(place, 'alerts', options);
      if (document && !isFeed(document.json)) reads.push(this.#read(document, 'alerts', readAlerts));
    }
    const [first] = reads;
    if (!first) throw new WeatherError('no_data', `${this.#store.title} has no alerts`);
    const alerts = reads
      .flatMap(({ model }) => model.alerts)
      .filter(({ zones }) => zones.some((zone) => zone.startsWith(state)));
    const notes = [
      `Only the alerts for the places of the dataset are known`,
      ...new Set(reads.flatMap(({ model }) => model.notes)),
    ];
    return { ...first, model: { issuedAt: first.model.issuedAt, alerts, notes } };
  }

  async search(
    name: string,
    _language: string,
    options: FetchOptions,
  ): Promise<Fetched<readonly Candidate[]>> {
    const wanted = foldName(name);
    this.#store.places(options);
    // To `onDependency`, only the files of the directory with this name are reported, not those of all
    // places.
    const all = await this.#candidatesWith((dataset) => (foldName(dataset) === wanted ? options : {}));
    const exact = all.filter((each) => foldName(each.name) === wanted || foldName(each.dataset) === wanted);
    const found = exact.length > 0 ? exact : all.filter((each) => foldName(each.name).startsWith(wanted));
    return { model: found, source: 'open-meteo', fetchedAt: 0, stale: false, ...this.#origin };
  }

  candidates(options: FetchOptions): Promise<(Candidate & { dataset: string })[]> {
    this.#store.places(options);
    return this.#candidatesWith(() => options);
  }

  async #candidatesWith(optionsOf: (dataset: string) => FetchOptions) {
    const found: (Candidate & { dataset: string })[] = [];
    for (const dataset of this.#store.places({})) {
      const place = await this.#candidateOf(dataset, optionsOf(dataset));
      if (place) found.push({ ...place, dataset });
    }
    return found;
  }

  async #candidateOf(directory: string, options: FetchOptions): Promise<Candidate | undefined> {
    const described = (await this.#optional(directory, 'place', options))?.json;
    const list = isObject(described) && !listIn(described, 'results') ? { results: [described] } : described;
    const [candidate] = list === undefined ? [] : readCandidates(list);
    if (candidate) return candidate;
    for (const product of ['forecast', 'current', 'history', 'air-quality']) {
      const json = (await this.#optional(directory, product, options))?.json;
      if (json === undefined || isNws(json)) continue;
      const reply = oneReply(json, undefined);
      const found = coordinatesIn(member(reply, 'latitude'), member(reply, 'longitude'));
      const timezone = textIn(reply, 'timezone');
      if (found)
        return { ...found, name: oneLine(directory, 100), ...(timezone !== undefined && { timezone }) };
    }
    return undefined;
  }

  /** Returns a document; undefined if it does not exist or cannot be read. */
  async #optional(
    directory: string,
    product: string,
    options: FetchOptions,
  ): Promise<StoredDocument | undefined> {
    try {
      return await this.#store.document(directory, product, options);
    } catch {
      return undefined;
    }
  }

  async #timezoneOf(directory: string, options: FetchOptions): Promise<string | undefined> {
    const point = await this.#optional(directory, 'points', options);
    return (
      textIn(objectIn(point?.json, 'properties'), 'timeZone') ??
      (await this.#candidateOf(directory, options))?.timezone
    );
  }

  async #directoryOf(place: Place, options: FetchOptions): Promise<string> {
    const places = this.#store.places(options);
    if (place.dataset !== undefined && places.includes(place.dataset)) return place.dataset;
    const all = await this.candidates({});
    const [nearest] = all.toSorted((a, b) => distanceKm(a, place) - distanceKm(b, place));
    if (nearest && distanceKm(nearest, place) <= maxDistanceKm) return nearest.dataset;
    const names = all.map(({ dataset }) => dataset);
    throw new WeatherError('no_data', `No data for ${placeText(place)}: ${this.#contentText(names)}`, {
      places: names.slice(0, 100),
    });
  }

  async describeContent(): Promise<string> {
    return this.#contentText((await this.candidates({})).map(({ dataset }) => dataset));
  }

  #contentText(names: readonly string[]): string {
    if (names.length === 0) return `${this.#store.title} is empty`;
    const shown = names.slice(0, 20).map((name) => oneLine(name, 100));
    return `${this.#store.title} has ${shown.join(', ')}${names.length > 20 ? ' …' : ''}`;
  }

  async #documentOf(place: Place, product: keyof typeof productNames, options: FetchOptions) {
    const directory = await this.#directoryOf(place, options);
    const document = await this.#store.document(directory, product, options);
    if (!document) throw await this.#noData(directory, product);
    return { directory, document };
  }

  /** Parses a document as a product. The model is kept, so a document is parsed once for each product. */
  #read<Model>(
    { json, reads, storedAt, problem }: StoredDocument,
    product: string,
    read: (json: unknown) => Model,
  ): Fetched<Model> {
    const known = reads.get(product) as Fetched<Model> | undefined;
    if (known) return known;
    const fetched: Fetched<Model> = {
      model: read(json),
      source: isFeed(json) ? 'meteoalarm' : isNws(json) ? 'nws' : 'open-meteo',
      fetchedAt: storedAt,
      stale: problem !== undefined,
      ...(problem && { problem }),
      ...this.#origin,
    };
    reads.set(product, fetched);
    return fetched;
  }

  get #origin(): { readonly dataset: true; readonly sample?: true } {
    return this.#store.sample ? { dataset: true, sample: true } : { dataset: true };
  }

  /**
   * Returns the error for a product that a place lacks. It names the file to add to a dataset, or the places
   * of the sample that have the product.
   */
  async #noData(directory: string, product: keyof typeof productNames): Promise<WeatherError> {
    const { sample, title } = this.#store;
    if (!sample)
      return new WeatherError('no_data', `${title} has no ${quoted(`${directory}/${product}.json`)}`);
    const places = this.#store.places({});
    const known = await Promise.all(places.map((place) => this.#store.document(place, product, {})));
    const others = places.filter((_, index) => known[index]);
    const where = others.length > 0 ? ` for ${quoted(directory)}, only for ${others.join(', ')}` : '';
    return new WeatherError('no_data', `The sample has no ${productNames[product]}${where}`);
  }
}

const productNames = {
  current: 'current weather',
  forecast: 'forecast',
  history: 'history',
  marine: 'forecast of the sea',
  models: 'forecast of several models',
  'air-quality': 'air quality',
  alerts: 'alerts',
};

function isNws(json: unknown): boolean {
  return (
    isObject(json) && (objectIn(json, 'properties') !== undefined || listIn(json, 'features') !== undefined)
  );
}

function isForecast(json: unknown): boolean {
  return listIn(objectIn(json, 'properties'), 'periods') !== undefined;
}
