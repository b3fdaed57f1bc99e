import type { Repositories } from './backend/repositories.ts';

/** The context of every handler. */
export type Git = { readonly repositories: Repositories };
