import { basename } from 'node:path';
import * as z from 'zod';
import type { Git } from '../context.ts';

export const repositoryArgument = {
  repo_path: z.string().optional(),
};

/** The repositories whose path or name starts with `typed`. */
export function completeRoot(typed: string, { repositories }: Git): string[] {
  return repositories.listed
    .map(({ root }) => root)
    .filter((root) => root.startsWith(typed) || basename(root).startsWith(typed));
}
