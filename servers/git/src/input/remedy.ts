import { GitError, type Lifted } from '@mcp/safe-git';

const remedies: { readonly [lifted in Lifted]: string } = {
  'not trusted': 'start the server with --trust to permit it',
  'no directory': 'name a repository with --repository <path>, or use a host that provides roots',
  'several repositories': 'pass one of them as repo_path',
};

/**
 * Adds to the message how the operator or the caller can allow what was refused. Returns any other error
 * unchanged.
 */
export function withRemedy(error: unknown): unknown {
  if (!(error instanceof GitError) || error.lifted === undefined) return error;
  return new Error(`${error.message}; ${remedies[error.lifted]}`, { cause: error });
}
