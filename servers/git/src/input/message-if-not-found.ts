import { userMessage, type PromptMessage } from '@mcp/protocol';
import { NotFoundError } from '../backend/errors.ts';
import { withNearestNames } from '../backend/queries/nearest-names.ts';
import type { Repository } from '../backend/repository.ts';

/** Runs a prompt; the message of a `NotFoundError` becomes the prompt, with the nearest names. */
export async function messageIfNotFound(
  repository: Repository,
  run: () => Promise<PromptMessage[]>,
): Promise<PromptMessage[]> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const { message } = await withNearestNames(repository, error);
    return [userMessage(`${message}.`)];
  }
}
