// This entry has the functions that need the files or processes of Node.

// Replaces files that several processes share, and locks them.
export { withFileLock } from './node/file-lock.ts';
export { keptNames, orMissing } from './node/missing-files.ts';
export { renameOnto } from './node/rename-onto.ts';
export { isTemporary, replaceFile, replaceFileSync } from './node/replace-file.ts';

// Ends process groups that must not outlive this process.
export { OrphanGuard } from './node/orphan-guard.ts';
export type { OrphanGuardOptions } from './node/orphan-guard.ts';

// Converts the roots of a client to paths, and opens each with a given function.
export { openRoots } from './node/client-roots.ts';

// From where the address of a URL can be reached, so that untrusted URLs lead into no private network.
export { isNarrower, reachOf } from './node/address-reach.ts';
export type { Reach } from './node/address-reach.ts';
