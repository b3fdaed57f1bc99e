import { existsSync } from 'node:fs';
import { descriptorDoor } from './descriptor-opener.ts';
import type { Door } from './path-opener.ts';
import { pathDoor } from './checked-path-opener.ts';

/** The stronger of the two doors that works here. */
export function platformDoor(): Door {
  return existsSync('/proc/self/fd') ? descriptorDoor : pathDoor;
}
