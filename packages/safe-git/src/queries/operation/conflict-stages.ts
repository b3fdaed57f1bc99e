import { readObject } from '../../commands/objects/cat-file.ts';
import { indexEntries } from '../../commands/work-tree/index-entries.ts';
import { textOf } from '../../safe-text.ts';
import type { Repository } from '../../repository.ts';

export interface ConflictStage {
  readonly side: 'base' | 'ours' | 'theirs';
  readonly text: string;
}

const sides = ['base', 'ours', 'theirs'] as const;
const maxBytes = 256 * 1024;

/** Reads the sides of a file in conflict. If the file does not exist on a side, that side is left out. */
export async function readConflictStages(repository: Repository, path: string): Promise<ConflictStage[]> {
  const entries = await repository.run(indexEntries('unmerged', [path]));
  const stages: ConflictStage[] = [];
  for (const { hash, stage } of entries.get(path) ?? []) {
    const object = await repository.run(readObject(hash, maxBytes));
    if (object) stages.push({ side: sides[stage - 1]!, text: textOf(object.bytes) });
  }
  return stages;
}
