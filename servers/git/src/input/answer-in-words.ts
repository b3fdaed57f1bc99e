import { userMessage, type PromptMessage } from '@mcp/protocol';
import { NotFoundError } from '../backend/errors.ts';

/** Runs a prompt; where it names something that does not exist, the prompt says so instead of failing. */
export async function answerInWords(run: () => Promise<PromptMessage[]>): Promise<PromptMessage[]> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return [userMessage(`${error.message}.`)];
  }
}
