import type { Sandbox } from './backend/sandbox.ts';

/** The context of every handler. */
export type Filesystem = { readonly sandbox: Sandbox };
