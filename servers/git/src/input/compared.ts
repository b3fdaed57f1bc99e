import { checkRevision, checkRevisionOrRange, type Compared } from '@mcp/safe-git';
import * as z from 'zod';

/** The argument of tools of the view that says what is compared. */
export const comparedArgument = z.union([
  z.enum(['unstaged', 'staged']),
  z.object({ target: z.string() }),
  z.object({ commit: z.string() }),
]);

/** Throws if `of` names something that is no revision. */
export function checkCompared(of: Compared): Compared {
  if (typeof of === 'string') return of;
  return 'target' in of ? { target: checkRevisionOrRange(of.target) } : { commit: checkRevision(of.commit) };
}
