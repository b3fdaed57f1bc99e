import type { Failure } from '../errors.ts';
import type { Question } from '../http/http-client.ts';

/** Who made the data. */
export type Source = 'open-meteo' | 'nws';

/** A document of an upstream: what to ask, for how long the answer is fresh, and how it is read. */
export interface UpstreamDocument<Model> {
  readonly source: Source;
  /** `forecast`, `current`, `search` …; begins the name of its file. */
  readonly product: string;
  /** Everything the answer depends on. */
  readonly key: string;
  readonly question: () => Question;
  readonly freshMs: number;
  /** Milliseconds after which it is no longer told, not even as stale. */
  readonly keepMs: number;
  /** Throws a `Failure` of kind `invalid_reply` where the document is not what it should be. */
  readonly read: (json: unknown) => Model;
}

/** What was read, and how good it is. The same object as long as nothing has changed. */
export interface Read<Model> {
  readonly model: Model;
  readonly source: Source;
  /** Milliseconds since 1970. */
  readonly fetchedAt: number;
  /** Older than it should be, because nothing newer could be had. */
  readonly stale: boolean;
  /** Why it is stale. */
  readonly problem?: Failure;
  /** From a sample that belongs to the program, and not about any real day. */
  readonly sample?: boolean;
  /** A file of a dataset that it was read from. */
  readonly dataset?: boolean;
}

/** How something is asked for. */
export interface Ask {
  /** Looked at only when something has to be waited for: making one costs more than an answer that is known. */
  readonly signal?: AbortSignal | undefined;
  /** Only what is on disk already; nothing is asked upstream. */
  readonly offline?: boolean;
  /** Asks the upstream though what is known is fresh, because it has turned out to be wrong. */
  readonly anew?: boolean;
  /** Nobody waits for it: at most half of what the upstream allows is used. */
  readonly background?: boolean;
  /** Told of every file that the answer depends on, also of those that are missing. */
  readonly used?: (file: string) => void;
}
