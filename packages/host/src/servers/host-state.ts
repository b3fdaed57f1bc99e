import type { TokenStore } from '@mcp/authorization';
import type { NegotiationCache } from '@mcp/protocol/client';
import { homeDirectory } from '../config/home-directory.ts';
import { fileTokenStore } from '../login/file-token-store.ts';
import { type StateDirectories, stateDirectories } from '../state-directories.ts';
import { TrustStore } from '../trust/trust-store.ts';
import { fileNegotiations } from './file-negotiations.ts';
import { ListCache } from './list-cache.ts';

/** The state that a host keeps between its runs. */
export interface HostState {
  readonly directories: StateDirectories;
  readonly trust: TrustStore;
  readonly negotiations: NegotiationCache;
  readonly listCache: ListCache;
  readonly store: TokenStore;
}

/** Opens the state in `directories`, by default this user's; `warn` is called with problems of its files. */
export function hostState(
  warn: (message: string) => void,
  directories = stateDirectories(homeDirectory(), process.env, process.platform),
): HostState {
  const { state, cache } = directories;
  return {
    directories,
    trust: new TrustStore(`${state}/trust`, warn),
    negotiations: fileNegotiations(cache, warn),
    listCache: new ListCache(cache, warn),
    store: fileTokenStore(state, warn),
  };
}
