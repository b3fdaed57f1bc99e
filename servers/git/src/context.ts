import type { Repositories } from '@mcp/safe-git';

export type Git = { readonly repositories: Repositories };
