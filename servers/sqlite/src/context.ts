import type { Call } from '@mcp/protocol';
import type { Databases } from './backend/databases.ts';

/** What every handler can reach. */
export type Sqlite = { readonly databases: Databases };

/** What a tool needs that can be cancelled. */
export type SqliteCall = Sqlite & Pick<Call, 'signal'>;

/** What a tool needs that asks before something is lost. */
export type AskingCall = SqliteCall & Pick<Call, 'inputs' | 'clientCapabilities'>;
