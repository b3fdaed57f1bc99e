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
      const shifted = shiftToToday(json, {
        madeAt: sampleTime / 1000,
        now: quarter / 1000,
        zone: demoZone(place),
      });
      const dated = product === 'current' ? withQuarters(shifted.json, place, quarter / 1000) : shifted.json;
      const madeAt = sampleTime + shifted.seconds * 1000;
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
const quarterHourMs = 900_000;
