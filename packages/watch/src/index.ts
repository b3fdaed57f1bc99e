export { identityOrAbsenceOf } from './missing-identity.ts';
export { identityOf, type Identity } from './identity.ts';
export { Watcher, type WatcherOptions, type WatchOptions } from './watcher.ts';
export type { Stop } from './stop.ts';
