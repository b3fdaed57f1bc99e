import { status, type Status } from '../commands/work-tree/status.ts';
import type { Repository } from '../repository.ts';
import { escapeName } from '../safe-text.ts';
import { remainingText } from './status-text.ts';

/** Says where HEAD is and which changes are left, such as `main is at 1a2b3c4d5e; 2 not staged`. */
export function whereText({ branch, entries }: Pick<Status, 'branch' | 'entries'>): string {
  const name = branch.head === undefined ? 'HEAD' : escapeName(branch.head);
  const at = branch.oid === undefined ? 'has no commit yet' : `is at ${branch.oid.slice(0, 10)}`;
  return `${name} ${at}; ${remainingText(entries)}`;
}

/** Reads the status, and returns a text that says where HEAD is and which changes are not committed. */
export async function readWhere(repository: Repository): Promise<string> {
  return whereText(await repository.run(status({ trusted: repository.trusted })));
}
