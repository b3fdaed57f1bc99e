import { EventEmitter } from 'node:events';
import type { WireMessage } from './observed-connector.ts';

/** Emits each message between the host and its servers, for a command that shows them. */
export class WireFeed extends EventEmitter<{ message: [WireMessage] }> {}
