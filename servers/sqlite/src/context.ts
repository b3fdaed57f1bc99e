import type { Databases } from '@mcp/sqlite-pool';

/** The context that every handler of this server gets. */
export type Sqlite = { readonly databases: Databases };
