import { join } from 'node:path';
import type { Installed } from './measure-library.ts';
import type { Revision } from './todo-client.ts';
import type { Trial } from './try-server.ts';

/** What `run.ts` found, and when. */
export interface Results {
  readonly date: string;
  /** The version of Node. */
  readonly node: string;
  /** By the folders of the programs. */
  readonly libraries: Readonly<Record<string, Result>>;
}

export interface Result extends Installed {
  /** How long the start takes, as a multiple of the time of bare Node. */
  readonly start: number;
  readonly trials: Readonly<Record<Revision, Trial>>;
}

export const resultsFile = join(import.meta.dirname, 'results.json');
