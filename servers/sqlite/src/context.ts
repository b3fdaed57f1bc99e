import type { Databases } from '@mcp/sqlite-pool';

export type Sqlite = { readonly databases: Databases };
