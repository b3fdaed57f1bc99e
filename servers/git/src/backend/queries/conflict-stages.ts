import { fields } from '../commands/nul-records.ts';
import { readObject } from '../commands/cat-file.ts';
import { textOf } from '../display-name.ts';
import type { Repository } from '../repository.ts';

/** One side of a conflict. */
export interface Stage {
  readonly side: 'base' | 'ours' | 'theirs';
  readonly text: string;
}

const sides = ['base', 'ours', 'theirs'] as const;
const maxBytes = 256 * 1024;

/** The sides of a file in conflict, as far as they exist. */
export async function readStages(repository: Repository, path: string): Promise<Stage[]> {
  const entries = await repository.run({
    args: ['ls-files', '--unmerged', '-z', '--', path],
    parse: ({ stdout }: { stdout: Buffer }) => fields(stdout),
  });
  const stages: Stage[] = [];
  for (const entry of entries) {
    const [, hash, stage] = /^\d+ ([0-9a-f]+) ([123])\t/.exec(entry) ?? [];
    const side = sides[Number(stage) - 1];
    if (!hash || !side) continue;
    const object = await repository.run(readObject(hash, maxBytes));
    if (object) stages.push({ side, text: textOf(object.bytes) });
  }
  return stages;
}
