import type { Repositories } from '@mcp/safe-git';

export type Git = {
  readonly repositories: Repositories;
  /**
   * Whether answers have structured content. Its JSON has the same maximum length as the text of an answer.
   */
  readonly structured: boolean;
};
