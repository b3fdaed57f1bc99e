import type { Databases } from './backend/databases.ts';

/** The context of every handler. */
export type Sqlite = { readonly databases: Databases };
