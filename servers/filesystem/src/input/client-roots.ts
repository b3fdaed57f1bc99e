import type { ClientRootsOptions } from '@mcp/protocol';
import type { Filesystem } from '../context.ts';

/** Options to run handlers in the roots of their client, if the operator has named no directory. */
export const clientRoots: ClientRootsOptions<Filesystem> = {
  isNeeded: ({ sandbox }) => sandbox.directories.length === 0,
  async within(roots, { sandbox: whole, ...rest }, run) {
    using sandbox = await whole.within(roots.map(({ uri }) => uri));
    return await run({ ...rest, sandbox });
  },
};
