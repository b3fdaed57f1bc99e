import { existsSync } from 'node:fs';
import { descriptorOpener } from './descriptor-opener.ts';
import type { PathOpener } from './path-opener.ts';
import { checkedPathOpener } from './checked-path-opener.ts';

/** The stronger of the two openers that works on this system. */
export function platformOpener(): PathOpener {
  return existsSync('/proc/self/fd') ? descriptorOpener : checkedPathOpener;
}
