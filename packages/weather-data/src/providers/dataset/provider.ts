import { readAirQuality } from '../open-meteo/air-quality.ts';
import { coordinatesIn, distanceKm } from '../../places/coordinates.ts';
import type { FetchOptions, Fetched } from '../../cache/upstream-document.ts';
import { WeatherError, plainLine, quoted } from '../../errors.ts';
import { readCandidates } from '../open-meteo/geocoding.ts';
import { isJson, listIn, member, objectIn, textIn } from '../../json-fields.ts';
import { readAlerts } from '../nws/alerts.ts';
import { readNwsForecast, readObservation } from '../nws/format.ts';
import { marineVariables, oneReply, readSeries } from '../open-meteo/format.ts';
import { type Candidate, foldName, type Place, placeText } from '../../places/place.ts';
import type { AlertArea, Provider } from '../provider.ts';
import type { DocumentStore, StoredDocument } from './document-store.ts';
import type { AirQuality, Alerts, Series } from '../../model/series.ts';

/** The maximum distance between a requested place and the place of the dataset that answers for it. */
const maxDistanceKm = 50;

/** Weather from documents in the providers' own formats: `<place>/<product>.json`. */
export class Dataset implements Provider {
  readonly name = 'dataset';
  readonly #store: DocumentStore;
  readonly #reads = new WeakMap<object, Map<string, Fetched<unknown>>>();

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
    const directory = await this.#directoryOf(place, options);
    const document = await this.#store.document(directory, 'history', options);
    if (!document) throw await this.#noData(directory, 'history');
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
    const directory = await this.#directoryOf(place, options);
    const document = await this.#store.document(directory, 'marine', options);
    if (!document) throw await this.#noData(directory, 'marine');
    return this.#read(document, 'marine', (json) => readSeries(json, place, marineVariables));
  }

  async airQuality(place: Place, options: FetchOptions): Promise<Fetched<AirQuality>> {
    const directory = await this.#directoryOf(place, options);
    const document = await this.#store.document(directory, 'air-quality', options);
    if (!document) throw await this.#noData(directory, 'air-quality');
    return this.#read(document, 'air-quality', (json) => readAirQuality(json, place));
  }

  async alerts(area: AlertArea, options: FetchOptions): Promise<Fetched<Alerts>> {
    if ('place' in area) {
      const directory = await this.#directoryOf(area.place, options);
      const document = await this.#store.document(directory, 'alerts', options);
      if (!document) throw await this.#noData(directory, 'alerts');
      return this.#read(document, 'alerts', readAlerts);
    }
    return this.#alertsOfState(area.state, options);
  }

  async #alertsOfState(state: string, options: FetchOptions): Promise<Fetched<Alerts>> {
    const reads: Fetched<Alerts>[] = [];
    for (const place of this.#store.places(options)) {
      const document = await this.#store.document(place, 'alerts', options);
      if (document) reads.push(this.#read(document, 'alerts', readAlerts));
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
    // A directory that may become the place is a dependency; other directories are not.
    const all = await this.candidates((dataset) => (foldName(dataset) === wanted ? options : {}));
    const exact = all.filter((each) => foldName(each.name) === wanted || foldName(each.dataset) === wanted);
    const found = exact.length > 0 ? exact : all.filter((each) => foldName(each.name).startsWith(wanted));
    return { model: found, source: 'open-meteo', fetchedAt: 0, stale: false, ...this.#origin };
  }

  /** All places of the dataset. */
  async candidates(
    options: FetchOptions | ((dataset: string) => FetchOptions),
  ): Promise<(Candidate & { dataset: string })[]> {
    const found: (Candidate & { dataset: string })[] = [];
    for (const dataset of this.#store.places(typeof options === 'function' ? {} : options)) {
      const place = await this.#candidateOf(
        dataset,
        typeof options === 'function' ? options(dataset) : options,
      );
      if (place) found.push({ ...place, dataset });
    }
    return found;
  }

  async #candidateOf(directory: string, options: FetchOptions): Promise<Candidate | undefined> {
    const described = (await this.#optional(directory, 'place', options))?.json;
    const list = isJson(described) && !listIn(described, 'results') ? { results: [described] } : described;
    const [candidate] = list === undefined ? [] : readCandidates(list);
    if (candidate) return candidate;
    for (const product of ['forecast', 'current', 'history', 'air-quality']) {
      const json = (await this.#optional(directory, product, options))?.json;
      if (json === undefined || isNws(json)) continue;
      const reply = oneReply(json, undefined);
      const found = coordinatesIn(member(reply, 'latitude'), member(reply, 'longitude'));
      const timezone = textIn(reply, 'timezone');
      if (found) return { ...found, name: plainLine(directory), ...(timezone !== undefined && { timezone }) };
    }
    return undefined;
  }

  /** Returns undefined also when the document cannot be read. */
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
    const shown = names.slice(0, 20).map((name) => plainLine(name, 100));
    return `${this.#store.title} has ${shown.join(', ')}${names.length > 20 ? ' …' : ''}`;
  }

  /** Parses a document once for each product. */
  #read<Model>(document: StoredDocument, product: string, read: (json: unknown) => Model): Fetched<Model> {
    const { storedAt, problem } = document;
    let known = this.#reads.get(document);
    if (!known) this.#reads.set(document, (known = new Map()));
    let fetched = known.get(product) as Fetched<Model> | undefined;
    if (!fetched) {
      const model = read(document.json);
      const source = isNws(document.json) ? 'nws' : 'open-meteo';
      fetched = {
        model,
        source,
        fetchedAt: storedAt,
        stale: problem !== undefined,
        ...(problem && { problem }),
        ...this.#origin,
      };
      known.set(product, fetched);
    }
    return fetched;
  }

  get #origin(): { readonly dataset: true; readonly sample?: true } {
    return this.#store.sample ? { dataset: true, sample: true } : { dataset: true };
  }

  /**
   * Names the missing file of a dataset, to which it can be added; and the places of the sample that
   * have the product.
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
  'air-quality': 'air quality',
  alerts: 'alerts',
};

function isNws(json: unknown): boolean {
  return (
    isJson(json) && (objectIn(json, 'properties') !== undefined || listIn(json, 'features') !== undefined)
  );
}

function isForecast(json: unknown): boolean {
  return listIn(objectIn(json, 'properties'), 'periods') !== undefined;
}
