export { ComparedValue, type ComparedValueOptions, type TriggerOptions } from './compared-value.ts';
export type { DebounceOptions } from './debounce.ts';
export { identityOf, type Identity } from './identity.ts';
export { identityOrAbsenceOf } from './identity-or-absence.ts';
export { Watcher, type WatcherOptions, type WatchOptions } from './watcher.ts';
export type { Stop } from './stop.ts';
