import { ResourceNotFound, ToolError } from '@mcp/protocol';
import { Failure } from '../backend/errors.ts';
import type { Maybe } from '../backend/maybe-promise.ts';

/** Runs a tool's work; what fails is told in words, and as a kind and facts for programs. */
export function telling<Result>(work: () => Maybe<Result>): Maybe<Result> {
  try {
    const result = work();
    return result instanceof Promise ? result.catch(tell) : result;
  } catch (error) {
    return tell(error);
  }
}

function tell(error: unknown): never {
  if (!(error instanceof Failure)) throw error;
  throw new ToolError(error.message, { structuredContent: error.structured, cause: error });
}

/** Reads what a URI names; what names nothing is a resource that is not there. */
export async function readingUri<Result>(uri: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure) || !absent.has(error.kind)) throw error;
    throw new ResourceNotFound(uri, error.message, { cause: error });
  }
}

const absent = new Set([
  'invalid_argument',
  'place_not_found',
  'ambiguous_place',
  'not_supported',
  'no_data',
]);
