import { join } from 'node:path';
import type { ProgramName } from './programs.ts';

/** What `run.ts` found, and when. */
export interface Results {
  readonly date: string;
  /** The version of Node. */
  readonly node: string;
  /** The versions of the peers and of the servers of others, by package. */
  readonly versions: Readonly<Record<string, string>>;
  readonly starts: readonly Start[];
  /** In the order of the jobs; programs that have no commands for a job are missing. */
  readonly jobs: readonly Readonly<Partial<Record<ProgramName, Outcome>>>[];
}

/** The processor time of a command, as a multiple of that of `node -e 0`. */
export interface Start {
  readonly title: string;
  readonly ratios: Readonly<Partial<Record<ProgramName, number>>>;
}

export interface Outcome {
  /** What is wrong; missing if the job is done. */
  readonly wrong?: string | undefined;
  readonly ms: number;
  /** What the commands have printed. */
  readonly bytes: number;
}

export const resultsFile = join(import.meta.dirname, 'results.json');
