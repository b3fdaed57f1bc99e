import { atPresent, timeOf } from './current-hour.ts';
import type { DocumentStore, StoredDocument } from './document-store.ts';
import { sample, sampleTime } from './sample.ts';
import { demoDocument, demoPlaces, demoZone, withQuarters } from './sample-documents.ts';
import { shiftToToday } from './shift-dates.ts';

/** The sample dataset of the program, with its dates moved to today, for use without a network. */
export class SampleStore implements DocumentStore {
  readonly sample = true;
  readonly title = 'the sample';
  readonly #now: () => number;
  readonly #cached = new Map<string, StoredDocument>();

  /** `now` returns milliseconds since 1970. */
  constructor(now: () => number) {
    this.#now = now;
  }

  places(): readonly string[] {
    return demoPlaces;
  }

  async document(place: string, product: string): Promise<StoredDocument | undefined> {
    const now = this.#now();
    // The documents change every quarter of an hour, as those of real stations do.
    const quarter = Math.floor(now / quarterHourMs) * quarterHourMs;
    const key = `${place}/${product} ${quarter}`;
    let document = this.#cached.get(key);
    if (!document) {
      const json = demoDocument(place, product);
      if (json === undefined) return undefined;
      // Documents of earlier quarters of an hour are not needed any more.
      if (this.#cached.size > maxCached) this.#cached.clear();
      const [at, zone] = [quarter / 1000, demoZone(place)];
      const shifted = shiftToToday(json, { madeAt: sampleTime / 1000, now: at, zone });
      const measuredAt = timeOf(json);
      // The sample has one hour of the day. At another hour, current weather is that of the forecast.
      const isOld = measuredAt !== undefined && Math.abs(measuredAt + shifted.seconds - at) > maxAgeSeconds;
      const present = isOld
        ? atPresent(shifted.json, { now: at, zone, forecast: (await this.document(place, 'forecast'))?.json })
        : shifted.json;
      const dated = product === 'current' ? withQuarters(present, place, at) : present;
      const madeAt = isOld ? quarter : sampleTime + shifted.seconds * 1000;
      document = { json: dated, storedAt: Math.min(madeAt, now), reads: new Map() };
      this.#cached.set(key, document);
    }
    return document;
  }
}

/** The documents of the sample, by place and product: made-up values in the formats of Open-Meteo and NWS. */
export function sampleDocuments(): { readonly [place: string]: { readonly [product: string]: unknown } } {
  return sample;
}

const maxCached = 200;
/** Seconds by which current weather of the sample may be older than the present quarter of an hour. */
const maxAgeSeconds = 2_700;
const quarterHourMs = 900_000;
