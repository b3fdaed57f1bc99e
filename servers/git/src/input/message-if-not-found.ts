import { userMessage, type PromptMessage } from '@mcp/protocol';
import { NotFoundError } from '../backend/errors.ts';

/** Runs a prompt; the message of a `NotFoundError` becomes the prompt. */
export async function messageIfNotFound(run: () => Promise<PromptMessage[]>): Promise<PromptMessage[]> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return [userMessage(`${error.message}.`)];
  }
}
