import { createHash } from 'node:crypto';

/** A script in Lua, which Redis runs as one step. */
export interface Script {
  readonly text: string;
  /** The hash by which Redis knows the script. */
  readonly sha: string;
}

export function script(text: string): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}
