import { readAirQuality } from '../open-meteo/air-quality.ts';
import { coordinatesIn, distanceKm } from '../../places/coordinates.ts';
import type { Ask, Read } from '../../cache/upstream-document.ts';
import { Failure, quoted } from '../../errors.ts';
import { readCandidates } from '../open-meteo/geocoding.ts';
import { isJson, listIn, member, objectIn, textIn } from '../../json-fields.ts';
import { readAlerts } from '../nws/alerts.ts';
import { readNwsForecast, readObservation } from '../nws/format.ts';
import { oneReply, readSeries } from '../open-meteo/format.ts';
import { type Candidate, foldName, type Place, placeText } from '../../places/place.ts';
import type { AlertArea, Provider } from '../provider.ts';
import type { Shelf, ShelvedDocument } from './document-store.ts';
import type { AirQuality, Alerts, Series } from '../../model/series.ts';

/** A place of the dataset answers for what is no farther from it than this. */
const nearKm = 50;

/** Weather from documents in the providers' own formats: `<place>/<product>.json`. */
export class Dataset implements Provider {
  readonly name = 'dataset';
  readonly #shelf: Shelf;
  readonly #reads = new WeakMap<object, Map<string, Read<unknown>>>();

  constructor(shelf: Shelf) {
    this.#shelf = shelf;
  }

  async current(place: Place, ask: Ask): Promise<Read<Series>> {
    const at = await this.#directoryOf(place, ask);
    const document =
      (await this.#shelf.document(at, 'current', ask)) ?? (await this.#shelf.document(at, 'forecast', ask));
    if (!document) throw this.#noData(at, 'current');
    const timezone = await this.#timezoneOf(at, ask);
    return this.#read(document, 'current', (json) =>
      isNws(json) && !isForecast(json) ? readObservation(json, timezone) : readSeries(json, place),
    );
  }

  async forecast(place: Place, _days: number, ask: Ask): Promise<Read<Series>> {
    const at = await this.#directoryOf(place, ask);
    const document = await this.#shelf.document(at, 'forecast', ask);
    const hourly = await this.#shelf.document(at, 'hourly', ask);
    const main = document ?? hourly;
    if (!main) throw this.#noData(at, 'forecast');
    if (!isForecast(main.json)) return this.#read(main, 'forecast', (json) => readSeries(json, place));
    const timezone = await this.#timezoneOf(at, ask);
    return this.#read(main, `forecast ${hourly?.storedAt}`, () =>
      readNwsForecast(hourly?.json, document?.json, timezone),
    );
  }

  async history(place: Place, start: string, end: string, ask: Ask): Promise<Read<Series>> {
    const at = await this.#directoryOf(place, ask);
    const document = await this.#shelf.document(at, 'history', ask);
    if (!document) throw this.#noData(at, 'history');
    const read = this.#read(document, 'history', (json) => readSeries(json, place));
    const dates = read.model.days.map(({ date }) => date);
    if (!dates.some((date) => date >= start && date <= end)) {
      throw new Failure(
        'no_data',
        `${this.#shelf.title} has the days from ${dates[0]} to ${dates.at(-1)} of ${quoted(at)}, and none from ${start} to ${end}`,
      );
    }
    return read;
  }

  async airQuality(place: Place, ask: Ask): Promise<Read<AirQuality>> {
    const at = await this.#directoryOf(place, ask);
    const document = await this.#shelf.document(at, 'air-quality', ask);
    if (!document) throw this.#noData(at, 'air-quality');
    return this.#read(document, 'air-quality', (json) => readAirQuality(json, place));
  }

  async alerts(area: AlertArea, ask: Ask): Promise<Read<Alerts>> {
    if ('place' in area) {
      const at = await this.#directoryOf(area.place, ask);
      const document = await this.#shelf.document(at, 'alerts', ask);
      if (!document) throw this.#noData(at, 'alerts');
      return this.#read(document, 'alerts', readAlerts);
    }
    return this.#alertsOfState(area.state, ask);
  }

  async #alertsOfState(state: string, ask: Ask): Promise<Read<Alerts>> {
    const reads: Read<Alerts>[] = [];
    for (const place of this.#shelf.places(ask)) {
      const document = await this.#shelf.document(place, 'alerts', ask);
      if (document) reads.push(this.#read(document, 'alerts', readAlerts));
    }
    const [first] = reads;
    if (!first) throw new Failure('no_data', `${this.#shelf.title} has no alerts`);
    const alerts = reads
      .flatMap(({ model }) => model.alerts)
      .filter(({ zones }) => zones.some((zone) => zone.startsWith(state)));
    const notes = [
      `Only the alerts of the dataset's own places are known`,
      ...new Set(reads.flatMap(({ model }) => model.notes)),
    ];
    return { ...first, model: { title: null, issuedAt: first.model.issuedAt, alerts, notes } };
  }

  async search(name: string, _language: string, ask: Ask): Promise<Read<readonly Candidate[]>> {
    const wanted = foldName(name);
    this.#shelf.places(ask);
    // What may yet become the place is followed; what has nothing to do with it is not.
    const all = await this.candidates((dataset) => (foldName(dataset) === wanted ? ask : {}));
    const exact = all.filter((each) => foldName(each.name) === wanted || foldName(each.dataset) === wanted);
    const found = exact.length > 0 ? exact : all.filter((each) => foldName(each.name).startsWith(wanted));
    return { model: found, source: 'open-meteo', fetchedAt: 0, stale: false, ...this.#kind };
  }

  /** All places of the dataset. */
  async candidates(ask: Ask | ((dataset: string) => Ask)): Promise<(Candidate & { dataset: string })[]> {
    const found: (Candidate & { dataset: string })[] = [];
    for (const dataset of this.#shelf.places(typeof ask === 'function' ? {} : ask)) {
      const place = await this.#candidateOf(dataset, typeof ask === 'function' ? ask(dataset) : ask);
      if (place) found.push({ ...place, dataset });
    }
    return found;
  }

  async #candidateOf(at: string, ask: Ask): Promise<Candidate | undefined> {
    const described = (await this.#optional(at, 'place', ask))?.json;
    const list = isJson(described) && !listIn(described, 'results') ? { results: [described] } : described;
    const [candidate] = list === undefined ? [] : readCandidates(list);
    if (candidate) return candidate;
    for (const product of ['forecast', 'current', 'history', 'air-quality']) {
      const json = (await this.#optional(at, product, ask))?.json;
      if (json === undefined || isNws(json)) continue;
      const reply = oneReply(json, undefined);
      const found = coordinatesIn(member(reply, 'latitude'), member(reply, 'longitude'));
      const timezone = textIn(reply, 'timezone');
      if (found) return { ...found, name: at, ...(timezone !== undefined && { timezone }) };
    }
    return undefined;
  }

  /** A document that helps where it can be read. */
  async #optional(at: string, product: string, ask: Ask): Promise<ShelvedDocument | undefined> {
    try {
      return await this.#shelf.document(at, product, ask);
    } catch {
      return undefined;
    }
  }

  async #timezoneOf(at: string, ask: Ask): Promise<string | undefined> {
    const point = await this.#optional(at, 'points', ask);
    return (
      textIn(objectIn(point?.json, 'properties'), 'timeZone') ?? (await this.#candidateOf(at, ask))?.timezone
    );
  }

  async #directoryOf(place: Place, ask: Ask): Promise<string> {
    const places = this.#shelf.places(ask);
    if (place.dataset !== undefined && places.includes(place.dataset)) return place.dataset;
    const all = await this.candidates({});
    const [nearest] = all.toSorted((a, b) => distanceKm(a, place) - distanceKm(b, place));
    if (nearest && distanceKm(nearest, place) <= nearKm) return nearest.dataset;
    const names = all.map(({ dataset }) => dataset);
    const has =
      names.length === 0
        ? 'is empty'
        : `has ${names.slice(0, 20).join(', ')}${names.length > 20 ? ' …' : ''}`;
    throw new Failure('no_data', `Nothing is known of ${placeText(place)}: ${this.#shelf.title} ${has}`, {
      places: names.slice(0, 100),
    });
  }

  /** Reads a document once, however often it is asked for. */
  #read<Model>(document: ShelvedDocument, product: string, read: (json: unknown) => Model): Read<Model> {
    const { storedAt, problem } = document;
    let known = this.#reads.get(document);
    if (!known) this.#reads.set(document, (known = new Map()));
    let done = known.get(product) as Read<Model> | undefined;
    if (!done) {
      const model = read(document.json);
      const source = isNws(document.json) ? 'nws' : 'open-meteo';
      done = {
        model,
        source,
        fetchedAt: storedAt,
        stale: problem !== undefined,
        ...(problem && { problem }),
        ...this.#kind,
      };
      known.set(product, done);
    }
    return done;
  }

  get #kind(): { readonly dataset: true; readonly sample?: true } {
    return this.#shelf.sample ? { dataset: true, sample: true } : { dataset: true };
  }

  #noData(at: string, product: string): Failure {
    return new Failure('no_data', `${this.#shelf.title} has no ${quoted(`${at}/${product}.json`)}`);
  }
}

function isNws(json: unknown): boolean {
  return (
    isJson(json) && (objectIn(json, 'properties') !== undefined || listIn(json, 'features') !== undefined)
  );
}

function isForecast(json: unknown): boolean {
  return listIn(objectIn(json, 'properties'), 'periods') !== undefined;
}
