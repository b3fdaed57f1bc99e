import * as z from 'zod';
import type { Git } from '../context.ts';

/** The argument that selects the repository. */
export const repositoryArgument = {
  repo_path: z.string().optional(),
};

/** The allowed directories whose path starts with `typed`. */
export function completeRoot(typed: string, { repositories }: Git): string[] {
  return repositories.named.map(({ root }) => root).filter((root) => root.startsWith(typed));
}
