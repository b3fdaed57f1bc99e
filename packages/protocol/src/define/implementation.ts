import type { Icon } from './content.ts';

/** The name and the version of a client or a server, and how it describes itself. */
export type Implementation = {
  readonly name: string;
  readonly version: string;
  /** The name that a host shows to a person. */
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly Icon[];
};
