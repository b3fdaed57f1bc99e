import type { Client } from '@mcp/protocol/client';

/** The first stateless revision: it has no `initialize`, `ping`, `logging/setLevel` and task lists. */
const firstStateless = '2026-07-28';

export function isStateless({ revision }: Client): boolean {
  return revision >= firstStateless;
}
