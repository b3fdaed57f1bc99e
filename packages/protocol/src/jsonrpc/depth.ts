import { endOfString } from './end-of-string.ts';
import { invalidRequest, RpcError } from './error.ts';

/**
 * Maximum number of nested levels of a message to a server. Much of what reads a value calls itself for each
 * level: `JSON.stringify`, validators, handlers. With many more levels, it would need more stack than there
 * is.
 */
export const maxDepth = 1_000;

/**
 * Maximum number of nested levels of a message to a client, because a parser needs more memory for a level
 * than for a character. The program of the client decides what it does with deep values.
 */
export const maxClientDepth = 1_000_000;

/** The error of a message with more levels than `limit`. */
export function tooDeep(limit: number): RpcError {
  return new RpcError(
    invalidRequest,
    `A message may have at most ${limit} levels of nested arrays and objects`,
  );
}

/** Whether this JSON text has more levels than `limit`. */
export function isDeeper(text: string, limit: number): boolean {
  // Most messages have few brackets. To count brackets is much faster than to compute levels.
  return text.length > limit && hasMoreBrackets(text, limit) && hasMoreLevels(text, limit);
}

/** Whether the text has more opening brackets and braces than `limit`. */
function hasMoreBrackets(text: string, limit: number): boolean {
  let count = 0;
  for (const bracket of ['[', '{'])
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1))
      if (++count > limit) return true;
  return false;
}

function hasMoreLevels(text: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = endOfString(text, at + 1);
        break;
      case 0x5b:
      case 0x7b:
        if (++depth > limit) return true;
        break;
      case 0x5d:
      case 0x7d:
        depth--;
    }
  }
  return false;
}
