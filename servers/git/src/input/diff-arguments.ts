import * as z from 'zod';
import { repositoryArgument } from './repository-argument.ts';

/** The arguments that all tools that show a diff take. */
export const diffArguments = {
  ...repositoryArgument,
  context_lines: z.int().min(0).max(1_000).default(3),
  paths: z.array(z.string()).optional().describe('Only these files and directories'),
  stat: z.boolean().default(false).describe('Only the lines per file'),
  cursor: z.string().optional().describe('From the previous page'),
};
