import type { WeatherError } from '../errors.ts';
import type { HttpRequest } from '../http/http-client.ts';

/** The upstream that the data come from. */
export type Source = 'open-meteo' | 'nws' | 'meteoalarm';

/** A document of an upstream: how it is requested, how long the reply is fresh, and how it is parsed. */
export interface UpstreamDocument<Model> {
  readonly source: Source;
  /** The kind of the document, such as `forecast`, `current` or `search`: the prefix of its file name. */
  readonly product: string;
  /** Identifies the document: its URL without any secret. */
  readonly key: string;
  readonly request: () => HttpRequest;
  readonly freshMs: number;
  /** Milliseconds after which the document is not returned any more, not even as a stale one. */
  readonly keepMs: number;
  /** Parses the reply. Throws a `WeatherError` of kind `invalid_reply` if it has an unexpected format. */
  readonly read: (json: unknown) => Model;
}

/** A parsed document. Until the document changes, the cache returns the same object. */
export interface Fetched<Model> {
  readonly model: Model;
  readonly source: Source;
  /** When the document was fetched, in milliseconds since 1970. */
  readonly fetchedAt: number;
  /** Whether the document is no longer fresh, because the upstream failed. */
  readonly stale: boolean;
  /** Why the document is stale. */
  readonly problem?: WeatherError;
  /** Whether the data are made-up sample data. */
  readonly sample?: boolean;
  /**
   * Whether the document is from a dataset: from a directory of the user's own documents, or from the sample.
   */
  readonly dataset?: boolean;
}

export interface FetchOptions {
  /** Cancels waiting. The cache reads this only if it has to wait, so a getter can create a signal late. */
  readonly signal?: AbortSignal | undefined;
  /** Whether to use only the cache. If the document is not cached, the call fails with `no_data`. */
  readonly offline?: boolean;
  /** Whether to fetch the document even if the cached one is fresh, because its content is outdated. */
  readonly revalidate?: boolean;
  /** Whether no caller waits. Such a request may use at most half of the upstream's quota. */
  readonly background?: boolean;
  /**
   * Called with the path of each file that the answer is read from: a cached document, a file of the dataset
   * or the saved places, whether or not the file exists yet. `ChangeWatcher` watches these files for changes.
   */
  readonly onDependency?: (file: string) => void;
}
