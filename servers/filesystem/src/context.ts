import type { Sandbox } from './backend/sandbox.ts';

/** What every handler can reach. */
export type Filesystem = { readonly sandbox: Sandbox };
