import { fchmodSync } from 'node:fs';
import type { KeptChange } from '../keep/kept-change.ts';
import { changeFile } from '../replace/file-change.ts';
import type { WriteContext } from '../replace/write-context.ts';

export interface ModeChanged {
  /** The real path of the file. */
  readonly path: string;
  /** The modes before and after the change, in octal, as `chmod` takes them. */
  readonly before: string;
  readonly after: string;
  /** Whether the opposite change (`executable` inverted) restores the mode. */
  readonly isReversible: boolean;
}

/** Gives the execute permission to all classes of users that may read, or takes it from all. */
export function setExecutable(
  context: WriteContext,
  requestedPath: string,
  executable: boolean,
  kept?: KeptChange,
): Promise<ModeChanged> {
  return changeFile(context, requestedPath, async (file) => {
    file.required();
    using opened = context.allowed.openFileIn(file.parent, file.name);
    const before = opened.stats.mode & 0o7777;
    const after = withExecutable(before, executable);
    const isReversible = before !== after && withExecutable(after, !executable) === before;
    if (before !== after && !isReversible) await kept?.noteMode(file, before);
    fchmodSync(opened.readable(), after);
    return { path: file.path, before: octal(before), after: octal(after), isReversible };
  });
}

function withExecutable(mode: number, executable: boolean): number {
  return executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
}

function octal(mode: number): string {
  return mode.toString(8).padStart(3, '0');
}
