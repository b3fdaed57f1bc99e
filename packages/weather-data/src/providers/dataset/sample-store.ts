import type { DocumentStore, StoredDocument } from './document-store.ts';

/** The sample dataset of the program, dated to today, for use without a network. */
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
    return samplePlaces;
  }

  async document(place: string, product: string): Promise<StoredDocument | undefined> {
    const [{ sample, sampleTime, sampleZones }, { shiftToToday }, { Zone }] = await Promise.all([
      import('./sample.ts'),
      import('./shift-dates.ts'),
      import('../../model/time-zone.ts'),
    ]);
    const json = sample[place]?.[product];
    if (json === undefined) return undefined;
    const now = this.#now();
    // Stations observe each quarter of an hour.
    const quarter = Math.floor(now / quarterHourMs) * quarterHourMs;
    const zone = Zone.of(sampleZones[place]);
    const key = `${place}/${product} ${quarter}`;
    let document = this.#cached.get(key);
    if (!document) {
      // Documents of past quarters are not needed again.
      if (this.#cached.size > maxCached) this.#cached.clear();
      const shifted = shiftToToday(json, { madeAt: sampleTime / 1000, now: quarter / 1000, zone });
      const madeAt = sampleTime + shifted.seconds * 1000;
      document = { json: shifted.json, storedAt: Math.min(madeAt, now) };
      this.#cached.set(key, document);
    }
    return document;
  }
}

/**
 * The documents of the sample by place and product, in the formats of Open-Meteo and NWS, with made-up
 * values.
 */
export async function sampleDocuments(): Promise<{
  readonly [place: string]: { readonly [product: string]: unknown };
}> {
  const { sample } = await import('./sample.ts');
  return sample;
}

const maxCached = 50;
const quarterHourMs = 900_000;

const samplePlaces = ['berlin', 'kathmandu', 'springfield'];
