import { existsSync } from 'node:fs';
import { descriptorOpener } from './descriptor-opener.ts';
import type { PathOpener } from './path-opener.ts';
import { checkedPathOpener } from './checked-path-opener.ts';

/** Returns the opener that uses descriptors if the system has `/proc`, else the opener that checks paths. */
export function platformOpener(): PathOpener {
  return existsSync('/proc/self/fd') ? descriptorOpener : checkedPathOpener;
}
