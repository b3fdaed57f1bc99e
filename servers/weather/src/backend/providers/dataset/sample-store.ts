import type { Shelf, ShelvedDocument } from './document-store.ts';

/** When the sample was made up, in milliseconds since 1970. */
const sampleTime = Date.UTC(2026, 10, 20, 13, 46);

/** A small dataset that comes with the program, for a look around without a network. */
export class SampleShelf implements Shelf {
  readonly sample = true;
  readonly title = 'the sample';
  readonly #kept = new Map<string, ShelvedDocument>();

  places(): readonly string[] {
    return samplePlaces;
  }

  async document(place: string, product: string): Promise<ShelvedDocument | undefined> {
    const key = `${place}/${product}`;
    const known = this.#kept.get(key);
    if (known) return known;
    const { sample } = await import('./sample.ts');
    const json = sample[place]?.[product];
    if (json === undefined) return undefined;
    const document = { json, storedAt: sampleTime };
    this.#kept.set(key, document);
    return document;
  }
}

const samplePlaces = ['berlin', 'kathmandu', 'springfield'];
