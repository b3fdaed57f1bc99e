import { existsSync } from 'node:fs';
import { descriptorDoor } from './descriptor-door.ts';
import type { Door } from './door.ts';
import { pathDoor } from './path-door.ts';

/** The stronger of the two doors that works here. */
export function platformDoor(): Door {
  return existsSync('/proc/self/fd') ? descriptorDoor : pathDoor;
}
