import { fchmodSync } from 'node:fs';
import { join } from 'node:path';
import { quoted } from '../display-name.ts';
import { NotFound } from '../errors.ts';
import { changeFile, existingFile } from './change-file.ts';
import type { WriteContext } from './write-context.ts';

export interface ModeChanged {
  /** The real path. */
  readonly path: string;
  /** Octal, as `chmod` takes them. */
  readonly before: string;
  readonly after: string;
}

/** Gives the execute permission to each class of users that has the read permission, or takes it from all. */
export function setExecutable(
  context: WriteContext,
  requestedPath: string,
  executable: boolean,
): Promise<ModeChanged> {
  return changeFile(context, requestedPath, async (target) => {
    if (!existingFile(target, requestedPath)) throw new NotFound(`No such file: ${quoted(requestedPath)}`);
    const opened = context.allowed.openFileIn(target.parent, target.name);
    try {
      const before = opened.stats.mode & 0o7777;
      const after = executable ? before | ((before & 0o444) >> 2) : before & ~0o111;
      fchmodSync(opened.readable(), after);
      return { path: join(target.path), before: octal(before), after: octal(after) };
    } finally {
      opened.close();
    }
  });
}

function octal(mode: number): string {
  return mode.toString(8).padStart(3, '0');
}
