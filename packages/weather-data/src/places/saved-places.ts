import { mkdir, readFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf, isObject, KeyedQueue, messageOf, reasonOf, oneLine } from '@mcp/kit';
import { replaceFile, withFileLock } from '@mcp/kit/node';
import { coordinatesIn, parseCoordinates } from './coordinates.ts';
import { invalidArgument, quoted, WeatherError } from '../errors.ts';
import { stampOf } from '../cache/file-stamp.ts';
import { type Json, lineIn, listIn, member, textIn } from '../json-fields.ts';
import { foldName, type Place } from './place.ts';

/** A place with a name that the user has given. */
export interface SavedPlace extends Place {
  readonly saved: string;
}

/** A change of the file: returns the new entries for the old entries, and a result for the caller. */
type Change<Result> = (entries: readonly unknown[]) => {
  readonly changed: readonly unknown[];
  readonly result: Result;
};

const formatVersion = 1;
const maxPlaces = 1_000;
const maxNameLength = 64;
/** How many milliseconds a change waits for other processes. One change takes only a few. */
const lockTimeoutMs = 15_000;

/** The saved places. The file has a list, not an object, so that `__proto__` can be a name. */
export class SavedPlaces {
  readonly file: string;
  readonly #warn: (message: string) => void;
  /** Changes by this process are queued, so the file lock has to exclude only other processes. */
  readonly #changes = new KeyedQueue();
  #stamp: string | undefined;
  #places = new Map<string, SavedPlace>();
  #problem: string | undefined;

  constructor(file: string, warn: (message: string) => void) {
    this.file = file;
    this.#warn = warn;
  }

  /** All saved places, in the order in which they were saved. */
  get all(): readonly SavedPlace[] {
    this.#refresh();
    return [...this.#places.values()];
  }

  /** Why the file is invalid, if it is. Then its last valid content is used. */
  get problem(): string | undefined {
    this.#refresh();
    return this.#problem;
  }

  /** Returns the place with a name; case and accents are ignored. */
  find(name: string): SavedPlace | undefined {
    this.#refresh();
    return this.#places.size === 0 ? undefined : this.#places.get(foldName(name));
  }

  /** Saves a place. Returns the place that had this name before; throws a `WeatherError` on failure. */
  save(name: string, place: Place): Promise<SavedPlace | undefined> {
    const saved = parseSavedName(name);
    return this.#change((entries) => {
      const before = entries.find((entry) => isNamed(entry, saved));
      if (!before && entries.length >= maxPlaces)
        throw new WeatherError('saved_places', `Cannot save more than ${maxPlaces} places; remove one first`);
      // Keeps members of the old entry that this version does not know, because a newer version may have
      // written them.
      const entry = { ...(isObject(before) && before), ...entryOf(saved, place) };
      const changed = before ? entries.map((each) => (each === before ? entry : each)) : [...entries, entry];
      return { changed, result: before === undefined ? undefined : placeOf(before) };
    });
  }

  /** Removes and returns a place. Throws a `WeatherError` of kind `place_not_found` for an unknown name. */
  remove(name: string): Promise<SavedPlace> {
    return this.#change((entries) => {
      const before = entries.find((entry) => isNamed(entry, name));
      const place = before === undefined ? undefined : placeOf(before);
      if (!place) {
        const names = entries.flatMap((entry) => placeOf(entry)?.saved ?? []);
        const known =
          names.length === 0
            ? 'no places are saved'
            : `saved places are ${names
                .slice(0, 50)
                .map((each) => quoted(each))
                .join(', ')}`;
        throw new WeatherError('place_not_found', `No saved place has the name ${quoted(name)}; ${known}`);
      }
      return { changed: entries.filter((each) => each !== before), result: place };
    });
  }

  #change<Result>(make: Change<Result>): Promise<Result> {
    return this.#changes.run(this.file, () => this.#changeLocked(make));
  }

  async #changeLocked<Result>(make: Change<Result>): Promise<Result> {
    const file = quoted(this.file, 300);
    const deadline = AbortSignal.timeout(lockTimeoutMs);
    try {
      await mkdir(dirname(this.file), { recursive: true, mode: 0o700 });
      const change = async () => {
        const document = await this.#document();
        const { changed, result } = make(listIn(document, 'places') ?? []);
        const text = JSON.stringify({ ...document, version: formatVersion, places: changed }, null, 2);
        await replaceFile(this.file, `${text}\n`);
        return result;
      };
      return await withFileLock(`${this.file}.lock`, change, deadline);
    } catch (error) {
      if (error instanceof WeatherError) throw error;
      const message =
        error === deadline.reason
          ? `Timed out waiting for another process to write ${file}. Try again`
          : `Cannot write ${file}: ${reasonOf(error)}`;
      throw new WeatherError('saved_places', message, {}, { cause: error });
    }
  }

  /**
   * Reads the file for a change; `{}` if it is missing. Throws for an invalid file, so that it is not
   * overwritten: it may contain the user's places.
   */
  async #document(): Promise<Json> {
    try {
      return readDocument(await readFile(this.file, 'utf8'));
    } catch (error) {
      const code = codeOf(error);
      if (code === 'ENOENT') return {};
      const reason =
        code === undefined
          ? `is invalid (${messageOf(error)}). It was not changed; repair it, or move it away`
          : `cannot be read (${reasonOf(error)}). It was not changed`;
      throw new WeatherError(
        'saved_places',
        `Cannot change the saved places: ${quoted(this.file, 300)} ${reason}`,
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
      this.#problem = `Cannot read the saved places from ${quoted(this.file, 300)}: ${messageOf(error)}`;
      this.#warn(`${this.#problem}; the file was not changed`);
    }
  }
}

/** Throws a `WeatherError` for a name that later searches could not find, such as `52.5,13.4`. */
export function parseSavedName(name: string): string {
  const clean = name.normalize('NFC').trim();
  const requirement =
    clean === '' || Array.from(clean).length > maxNameLength
      ? `1 to ${maxNameLength} characters`
      : oneLine(clean) !== clean
        ? 'one line without control characters'
        : /[/\\,]/.test(clean) || /^\.+$/.test(clean)
          ? 'no slashes, backslashes or commas'
          : looksLikeCoordinates(clean)
            ? 'a name and not coordinates'
            : undefined;
  if (requirement === undefined) return clean;
  throw invalidArgument('name', `Invalid name: ${quoted(name)}; expected ${requirement}`);
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
  if (!isObject(document) || !listIn(document, 'places')) throw new Error('no list of places');
  const given = document['version'];
  if (given !== formatVersion)
    throw new Error(`version ${JSON.stringify(given)} instead of ${formatVersion}`);
  return document;
}

function isNamed(entry: unknown, name: string): boolean {
  const saved = lineIn(entry, 'saved');
  return saved !== undefined && foldName(saved) === foldName(name);
}

function entryOf(saved: string, place: Place): Json {
  const { latitude, longitude, name, admin1, country, countryCode, timezone, dataset } = place;
  return { saved, latitude, longitude, name, admin1, country, countryCode, timezone, dataset };
}

function placeOf(entry: unknown): SavedPlace | undefined {
  const saved = lineIn(entry, 'saved');
  const at = coordinatesIn(member(entry, 'latitude'), member(entry, 'longitude'));
  if (saved === undefined || !at) return undefined;
  const texts = (['name', 'admin1', 'country', 'countryCode', 'timezone', 'dataset'] as const).flatMap(
    (key) => {
      const text = key === 'dataset' ? textIn(entry, key) : lineIn(entry, key);
      return text === undefined ? [] : [[key, text] as const];
    },
  );
  return { ...at, ...Object.fromEntries(texts), saved };
}
