import type { Repositories } from '@mcp/safe-git';

/** The context of every handler. */
export type Git = { readonly repositories: Repositories };
