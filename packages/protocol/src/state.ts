// State of an application that outlives a request.
export { memoryState, type MemoryStateOptions } from './state/memory-state.ts';
export { fileState, type FileStateOptions } from './state/file-state.ts';
export type { Lifetime, StateStore } from './state/state-store.ts';

// The part of it that belongs to a caller.
export { callerState } from './state/caller-state.ts';
