import { readObject } from '../commands/cat-file.ts';
import { fields } from '../parse/nul-records.ts';
import type { Command } from '../command.ts';
import { textOf } from '../safe-text.ts';
import type { Repository } from '../repository.ts';

/** One side of a conflict. */
export interface ConflictStage {
  readonly side: 'base' | 'ours' | 'theirs';
  readonly text: string;
}

const sides = ['base', 'ours', 'theirs'] as const;
const maxBytes = 256 * 1024;

/** Reads the sides of a file in conflict; a side that does not have the file is missing. */
export async function readConflictStages(repository: Repository, path: string): Promise<ConflictStage[]> {
  const entries = await repository.run({
    args: ['ls-files', '--unmerged', '-z', '--', path],
    parse: ({ stdout }: { stdout: Buffer }) => fields(stdout),
  });
  const stages: ConflictStage[] = [];
  for (const entry of entries) {
    const [, hash, stage] = /^\d+ ([0-9a-f]+) ([123])\t/.exec(entry) ?? [];
    const side = sides[Number(stage) - 1];
    if (!hash || !side) continue;
    const object = await repository.run(readObject(hash, maxBytes));
    if (object) stages.push({ side, text: textOf(object.bytes) });
  }
  return stages;
}

/** The paths in conflict. */
export const conflictedPaths: Command<string[]> = {
  args: ['diff', '--name-only', '--diff-filter=U', '-z', '--no-ext-diff', '--ignore-submodules=dirty', '--'],
  parse: ({ stdout }) => [...new Set(fields(stdout))],
};
