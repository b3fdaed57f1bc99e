import type { WeatherError } from '../errors.ts';
import type { HttpRequest } from '../http/http-client.ts';

/** The origin of the data. */
export type Source = 'open-meteo' | 'nws';

/** A document of an upstream: its request, how long the reply is fresh, and how it is parsed. */
export interface UpstreamDocument<Model> {
  readonly source: Source;
  /** `forecast`, `current`, `search` …; the prefix of its file name. */
  readonly product: string;
  /** Identifies the document: its URL without any secret. */
  readonly key: string;
  readonly request: () => HttpRequest;
  readonly freshMs: number;
  /** Milliseconds after which it is no longer served, not even as stale. */
  readonly keepMs: number;
  /** Parses the reply. Throws a `WeatherError` of kind `invalid_reply` when the format is unexpected. */
  readonly read: (json: unknown) => Model;
}

/** A parsed document with its origin and age. It is the same object as long as nothing has changed. */
export interface Fetched<Model> {
  readonly model: Model;
  readonly source: Source;
  /** Milliseconds since 1970. */
  readonly fetchedAt: number;
  /** Whether it is no longer fresh, because the upstream failed. */
  readonly stale: boolean;
  /** Why it is stale. */
  readonly problem?: WeatherError;
  /** Whether it is made-up sample data. */
  readonly sample?: boolean;
  /** Whether it was read from a dataset. */
  readonly dataset?: boolean;
}

/** How a document is fetched. */
export interface FetchOptions {
  /**
   * Read only when there is something to wait for, because creating a signal costs more than a cached answer.
   */
  readonly signal?: AbortSignal | undefined;
  /** Serves from the cache only; fails with `no_data` where it has nothing. */
  readonly offline?: boolean;
  /** Fetches even though the cached document is fresh, because it has turned out to be wrong. */
  readonly revalidate?: boolean;
  /** A refresh without a waiting caller: uses at most half of the quota. */
  readonly background?: boolean;
  /** Called with every file that the answer depends on, including missing ones. */
  readonly onDependency?: (file: string) => void;
}
