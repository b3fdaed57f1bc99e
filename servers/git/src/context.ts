import type { Call } from '@mcp/protocol';
import type { Repositories } from './backend/repositories.ts';

/** What every handler can reach. */
export type Git = { readonly repositories: Repositories };

/** What a tool needs whose work can take a while. */
export type GitCall = Git & Pick<Call, 'signal' | 'progress'>;

/** What a tool needs that asks before something is lost. */
export type AskingCall = GitCall & Pick<Call, 'inputs' | 'clientCapabilities'>;
