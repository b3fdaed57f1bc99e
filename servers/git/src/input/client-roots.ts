import type { ClientRootsOptions } from '@mcp/protocol';
import type { Git } from '../context.ts';

/** Runs handlers in the roots of their client, if the operator has named no repository. */
export const clientRoots: ClientRootsOptions<Git> = {
  isNeeded: ({ repositories }) => repositories.allowed.isEmpty,
  within: (roots, { repositories, structured }, run) =>
    run({ repositories: repositories.within(roots.map(({ uri }) => uri)), structured }),
};
