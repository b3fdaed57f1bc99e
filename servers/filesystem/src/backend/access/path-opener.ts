import type { Stats } from 'node:fs';

/** Something that is open, and where it really is. */
export interface Opened {
  /** Where it was when it was opened, with every link resolved. */
  readonly path: string;
  readonly stats: Stats;
  /** The path under which the operating system reaches this very thing, and what is beneath it. */
  readonly base: string;
  /** A descriptor to read from; `close` closes it too. */
  readable(): number;
  /** Whether it is still where it was opened, was deleted, or stands elsewhere by now. */
  whereabouts(): 'there' | 'deleted' | 'elsewhere';
  /** Keeps it open for somebody else, who closes it too. */
  share(): this;
  close(): void;
}

export interface Look {
  /** Called with the real path; throws to refuse it. */
  readonly admit: (real: string) => void;
  /** Open a directory and nothing else, not even a link to one. */
  readonly directory?: boolean | undefined;
  /** It is going to be read. */
  readonly reading?: boolean | undefined;
}

/** How a platform opens a path and learns where the opened thing really is. Errors are those of `node:fs`. */
export interface Door {
  look(path: string | Buffer, look: Look): Opened;
}
