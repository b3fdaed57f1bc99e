import type { Databases } from './backend/databases.ts';

/** What every handler can reach. */
export type Sqlite = { readonly databases: Databases };
