export type * from './config/definition.ts';
export { exitCodes, HostError, type HostErrorOptions, type Phase } from './errors.ts';
