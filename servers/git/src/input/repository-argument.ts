import * as z from 'zod';

/** How every tool is told which repository it is about. */
export const repositoryArgument = {
  repo_path: z.string().optional().describe('Which repository'),
};
