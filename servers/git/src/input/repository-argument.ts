import * as z from 'zod';
import type { Git } from '../context.ts';

/** How every tool is told which repository it is about. */
export const repositoryArgument = {
  repo_path: z.string().optional().describe('Which repository'),
};

/** The repositories named at the start, as somebody has begun to type one. */
export function completeRoot(typed: string, { repositories }: Git): string[] {
  return repositories.named.map(({ root }) => root).filter((root) => root.startsWith(typed));
}
