import type { Call } from '@mcp/protocol';
import type { Git } from './context.ts';

/** What a tool needs to run a command that may take a while. */
export type GitCall = Git & Pick<Call, 'signal' | 'progress'>;

/** What a tool needs that asks before something is lost. */
export type AskingCall = GitCall & Pick<Call, 'inputs' | 'clientCapabilities'>;
