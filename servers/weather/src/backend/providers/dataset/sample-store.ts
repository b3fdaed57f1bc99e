import type { DocumentStore, StoredDocument } from './document-store.ts';

/** When the sample was made up, in milliseconds since 1970. */
const sampleTime = Date.UTC(2026, 10, 20, 13, 46);

/** The sample dataset of the program, for use without a network. */
export class SampleStore implements DocumentStore {
  readonly sample = true;
  readonly title = 'the sample';
  readonly #cached = new Map<string, StoredDocument>();

  places(): readonly string[] {
    return samplePlaces;
  }

  async document(place: string, product: string): Promise<StoredDocument | undefined> {
    const key = `${place}/${product}`;
    const known = this.#cached.get(key);
    if (known) return known;
    const { sample } = await import('./sample.ts');
    const json = sample[place]?.[product];
    if (json === undefined) return undefined;
    const document = { json, storedAt: sampleTime };
    this.#cached.set(key, document);
    return document;
  }
}

const samplePlaces = ['berlin', 'kathmandu', 'springfield'];
