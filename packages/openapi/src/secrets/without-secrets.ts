import { codeOf, messageOf } from '@mcp/kit';
import type { Hide } from './hide.ts';

const maxCauses = 5;

/**
 * The same error without secrets in its messages. Its causes are copies too, because what logs an error may
 * write them.
 */
export function withoutSecrets(error: unknown, hide: Hide, causes = maxCauses): Error {
  const { cause, name } = error instanceof Error ? error : {};
  const code = codeOf(error);
  const copy = new Error(
    hide(messageOf(error)),
    cause !== undefined && causes > 0 ? { cause: withoutSecrets(cause, hide, causes - 1) } : {},
  );
  return Object.assign(copy, name !== undefined && { name }, code !== undefined && { code });
}
