// State of an application that outlives a request.
export { memoryState, type MemoryStateOptions } from './state/memory-state.ts';
export { fileState, type FileStateOptions } from './state/file-state.ts';
export type { Lifetime, StateStore } from './state/state-store.ts';

// The part of it that belongs to a caller.
export { callerState } from './state/caller-state.ts';

// What the processes of one server share, for `shared` of an endpoint; and a state over entries of your own.
export {
  type AppendOptions,
  type Bus,
  type LeaseStore,
  type SharedStore,
  StoreUnavailable,
  type StreamEntry,
  type StreamStore,
  type Table,
} from './state/shared-store.ts';
export { type Entries, type Entry, storeOf } from './state/state-store.ts';
