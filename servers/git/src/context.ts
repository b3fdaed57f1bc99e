import type { Repositories } from '@mcp/safe-git';

export type Git = {
  readonly repositories: Repositories;
  /** Whether answers have structured content, whose JSON is bounded as texts are. */
  readonly structured: boolean;
};
