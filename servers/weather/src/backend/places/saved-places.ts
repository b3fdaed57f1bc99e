import { mkdir, readFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { coordinatesIn, parseCoordinates } from './coordinates.ts';
import { Failure, messageOf, plainLine, quoted } from '../errors.ts';
import { whileLocked } from '../cache/file-lock.ts';
import { codeOf, replaceFile, stampOf } from '../cache/atomic-files.ts';
import { isJson, type Json, listIn, member, textIn } from '../json-fields.ts';
import { foldName, type Place } from './place.ts';

/** A place under a name that the user gave it. */
export interface SavedPlace extends Place {
  readonly saved: string;
}

const version = 1;
const mostPlaces = 1_000;
const mostLength = 64;

/**
 * The user's own places, in one file that several processes share. A list and not an object: a name is never a key, so
 * that `__proto__` is a name like any other.
 */
export class SavedPlaces {
  readonly file: string;
  readonly #warn: (message: string) => void;
  #stamp: string | undefined;
  #places = new Map<string, SavedPlace>();
  #problem: string | undefined;

  constructor(file: string, warn: (message: string) => void) {
    this.file = file;
    this.#warn = warn;
  }

  /** All of them, in the order in which they were saved. */
  get all(): readonly SavedPlace[] {
    this.#refresh();
    return [...this.#places.values()];
  }

  /** Why the file cannot be used, where that is so; what was known before is still told. */
  get problem(): string | undefined {
    this.#refresh();
    return this.#problem;
  }

  find(name: string): SavedPlace | undefined {
    this.#refresh();
    return this.#places.size === 0 ? undefined : this.#places.get(foldName(name));
  }

  /** Saves a place, and gives the one that had this name before. */
  save(name: string, place: Place): Promise<SavedPlace | undefined> {
    const saved = checkedName(name);
    return this.#change((entries) => {
      const before = entries.find((entry) => isNamed(entry, saved));
      if (!before && entries.length >= mostPlaces)
        throw new Failure('saved_places', `There are ${mostPlaces} saved places already`);
      // What another version has written beside is kept.
      const entry = { ...(isJson(before) && before), ...entryOf(saved, place) };
      const changed = before ? entries.map((each) => (each === before ? entry : each)) : [...entries, entry];
      return { changed, result: before === undefined ? undefined : placeOf(before) };
    });
  }

  /** Forgets a place, and gives it. */
  remove(name: string): Promise<SavedPlace> {
    return this.#change((entries) => {
      const before = entries.find((entry) => isNamed(entry, name));
      const place = before === undefined ? undefined : placeOf(before);
      if (!place) {
        const names = entries.flatMap((entry) => placeOf(entry)?.saved ?? []);
        const known =
          names.length === 0
            ? 'there are none'
            : `there are ${names
                .slice(0, 50)
                .map((each) => quoted(each))
                .join(', ')}`;
        throw new Failure('place_not_found', `No saved place is called ${quoted(name)}: ${known}`);
      }
      return { changed: entries.filter((each) => each !== before), result: place };
    });
  }

  async #change<Result>(
    make: (entries: readonly unknown[]) => { changed: readonly unknown[]; result: Result },
  ): Promise<Result> {
    try {
      await mkdir(dirname(this.file), { recursive: true, mode: 0o700 });
    } catch (error) {
      throw new Failure(
        'saved_places',
        `Cannot change the saved places: there is no directory for ${quoted(this.file, 300)} (${messageOf(error)})`,
        {},
        { cause: error },
      );
    }
    return whileLocked(this.file, async () => {
      const document = await this.#document();
      const { changed, result } = make(listIn(document, 'places') ?? []);
      await replaceFile(this.file, `${JSON.stringify({ ...document, version, places: changed }, null, 2)}\n`);
      return result;
    });
  }

  /** What the file holds now. One that cannot be used is left alone: the user's own places may be in it. */
  async #document(): Promise<Json> {
    try {
      return readDocument(await readFile(this.file, 'utf8'));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return {};
      throw new Failure(
        'saved_places',
        `Cannot change the saved places: ${quoted(this.file, 300)} cannot be used (${messageOf(error)}). It is kept as it is; correct it, or move it away`,
        {},
        { cause: error },
      );
    }
  }

  #refresh(): void {
    const stamp = stampOf(this.file);
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    this.#problem = undefined;
    if (stamp === undefined) {
      this.#places = new Map();
      return;
    }
    try {
      const document = readDocument(readFileSync(this.file, 'utf8'));
      const places = (listIn(document, 'places') ?? []).flatMap((entry) => placeOf(entry) ?? []);
      this.#places = new Map(places.map((place) => [foldName(place.saved), place]));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return;
      this.#problem = `Saved places cannot be read from ${quoted(this.file, 300)}: ${messageOf(error)}`;
      this.#warn(`${this.#problem}; the file is kept as it is`);
    }
  }
}

/** A name as it is saved; fails for what could not be asked for, or would be mistaken for something else. */
export function checkedName(name: string): string {
  const clean = name.normalize('NFC').trim();
  const wrong =
    clean === '' || Array.from(clean).length > mostLength
      ? `is 1 to ${mostLength} characters long`
      : plainLine(clean) !== clean
        ? 'is one line without control characters'
        : /[/\\,]/.test(clean) || /^\.+$/.test(clean)
          ? 'has no slashes, no backslashes and no commas'
          : looksLikeCoordinates(clean)
            ? 'is not a pair of coordinates'
            : undefined;
  if (wrong === undefined) return clean;
  throw new Failure('invalid_argument', `The name of a saved place ${wrong}, and not ${quoted(name)}`, {
    argument: 'name',
  });
}

function looksLikeCoordinates(name: string): boolean {
  try {
    return parseCoordinates(name) !== undefined;
  } catch {
    return true;
  }
}

function readDocument(text: string): Json {
  const document = JSON.parse(text.replace(/^\ufeff/, '')) as unknown;
  if (!isJson(document) || !listIn(document, 'places')) throw new Error('It has no list of places');
  const given = document['version'];
  if (given !== version) throw new Error(`Its version is ${JSON.stringify(given)} and not ${version}`);
  return document;
}

function isNamed(entry: unknown, name: string): boolean {
  const own = textIn(entry, 'saved');
  return own !== undefined && foldName(own) === foldName(name);
}

function entryOf(saved: string, place: Place): Json {
  const { latitude, longitude, name, admin1, country, countryCode, timezone, dataset } = place;
  return { saved, latitude, longitude, name, admin1, country, countryCode, timezone, dataset };
}

function placeOf(entry: unknown): SavedPlace | undefined {
  const saved = textIn(entry, 'saved');
  const at = coordinatesIn(member(entry, 'latitude'), member(entry, 'longitude'));
  if (saved === undefined || !at) return undefined;
  const texts = (['name', 'admin1', 'country', 'countryCode', 'timezone', 'dataset'] as const).flatMap(
    (key) => {
      const text = textIn(entry, key);
      return text === undefined ? [] : [[key, text] as const];
    },
  );
  return { ...at, ...Object.fromEntries(texts), saved };
}
