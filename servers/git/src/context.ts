import type { Repositories } from './backend/repositories.ts';

/** What every handler can reach. */
export type Git = { readonly repositories: Repositories };
