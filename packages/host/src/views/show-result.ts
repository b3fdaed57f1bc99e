import { isObject, parseNumberTexts } from '@mcp/kit';
import type { CallToolResult, ReadResourceResult } from '@mcp/protocol/client';
import {
  isImage,
  type Media,
  mediaOf,
  mediaPlaceholder,
  type ResultBlock,
  textOf,
} from '@mcp/vendors/content';
import { type CommandInput, valueOf } from '../command-line/command.ts';
import { resultOptionsOf } from '../command-line/result-options.ts';
import { exitCodes, HostError } from '../errors.ts';
import { imageSequence } from '../terminal/images/image-sequence.ts';
import { mediaText } from './media-text.ts';
import { pickValue } from './pick-value.ts';
import { saveMedia } from './save-media.ts';
import { TextLimit } from './text-limit.ts';

type ShowInput = Pick<CommandInput, 'output' | 'options'>;

/**
 * Prints the result of a tool. Structured content is printed only if the text is empty or refers to this
 * content.
 */
export async function showToolResult(
  result: CallToolResult,
  input: ShowInput,
  name: string,
): Promise<number> {
  const { content, structuredContent, isError } = result;
  const { output } = input;
  const { pick, maxChars } = resultOptionsOf(input.options);
  const blocks = content as readonly ResultBlock[];
  if (pick && !isError) {
    showPicked(structuredContent ?? jsonOf(blocks.map(shownText)), input);
    return exitCodes.ok;
  }
  const limit = new TextLimit(maxChars);
  await showBlocks(blocks, input, name, limit);
  const pointed = blocks.length === 0 || names(blocks, /\bstructuredContent\b/);
  if (!output.json && pointed && structuredContent !== undefined) {
    if (blocks.length > 0) output.text('');
    output.foreign(limit.cut(JSON.stringify(structuredContent, null, 2)));
  }
  limit.note(output);
  // Prints the JSON only after the files of `--save` are written, so that a program that reads it finds the
  // files.
  if (output.json) output.value(result);
  if (!isError) return exitCodes.ok;
  // Before 2026-07-28, there is no error code for a server that needs sampling: only the text of the message
  // tells.
  if (valueOf(input.options, 'sampling') === undefined && names(blocks, /\bsampling\b/i))
    output.note("  with --sampling '<command>', a command answers the sampling requests of servers");
  return exitCodes.tool;
}

/** Whether a text of the result matches `word`. */
function names(blocks: readonly ResultBlock[], word: RegExp): boolean {
  return blocks.some((block) => word.test(textOf(block) ?? ''));
}

export async function showResource(result: ReadResourceResult, input: ShowInput): Promise<void> {
  const { pick, maxChars } = resultOptionsOf(input.options);
  const blocks = result.contents.map((resource) => ({ type: 'resource', resource }));
  if (pick) return showPicked(jsonOf(blocks.map(shownText)), input);
  const limit = new TextLimit(maxChars);
  await showBlocks(blocks, input, 'resource', limit);
  limit.note(input.output);
  if (input.output.json) input.output.value(result);
}

/** Prints the part of a result that `--pick` names: a text as it is, any other value as JSON. */
function showPicked(value: unknown, { output, options }: ShowInput): void {
  const { pick = [], maxChars } = resultOptionsOf(options);
  let picked: unknown;
  try {
    picked = pickValue(value, pick);
  } catch (error) {
    throw new HostError((error as Error).message, { phase: 'call', exitCode: exitCodes.tool });
  }
  const limit = new TextLimit(maxChars);
  if (output.json) output.value(picked);
  else output.foreign(limit.cut(typeof picked === 'string' ? picked : JSON.stringify(picked)));
  limit.note(output);
}

/** The value of a text that is JSON; throws a `HostError` for any other result. */
function jsonOf(texts: readonly (string | undefined)[]): unknown {
  const [text, ...others] = texts;
  try {
    if (text !== undefined && others.length === 0) return parseNumberTexts(text);
  } catch {
    // The error below says so, too.
  }
  const message =
    'There is nothing to --pick: the result has no structured content, and is not a text of JSON';
  throw new HostError(message, {
    phase: 'call',
    exitCode: exitCodes.tool,
    hint: 'leave out --pick to see the result',
  });
}

/** Prints text, shows images where the terminal can, and with `--save` writes media to files. */
export async function showBlocks(
  blocks: readonly ResultBlock[],
  input: ShowInput,
  name: string,
  limit = new TextLimit(Infinity),
): Promise<void> {
  const { output, options } = input;
  const directory = valueOf(options, 'save');
  let wasHidden = false;
  for (const [index, block] of blocks.entries()) {
    const media = mediaOf(block);
    const saved =
      media && directory !== undefined ? saveMedia(directory, nameOf(block) ?? name, media) : undefined;
    if (output.json) {
      if (saved !== undefined) output.note(saved);
      continue;
    }
    if (index > 0) output.text('');
    const text = shownText(block);
    if (saved !== undefined) output.foreign(`${mediaPlaceholder(media!)} ${saved}`);
    else if (!media || text !== undefined) output.foreign(limit.cut(text ?? ''));
    else if (!(await showImage(media, input))) {
      output.foreign(mediaPlaceholder(media));
      wasHidden = true;
    }
  }
  if (wasHidden && output.interactive) output.note('--save <directory> writes these media to files', 'dim');
}

/** The text of a block, also of a resource whose bytes are text; undefined for other media. */
function shownText(block: ResultBlock): string | undefined {
  const media = mediaOf(block);
  return media ? mediaText(media) : textOf(block);
}

async function showImage(media: Media, { output }: ShowInput): Promise<boolean> {
  if (!isImage(media)) return false;
  const protocol = await output.imageProtocol();
  const sequence = protocol && (await imageSequence(media, protocol));
  if (!sequence) return false;
  output.text(sequence);
  return true;
}

/** The last part of the URI of an embedded resource; undefined for other blocks, and if it is empty. */
function nameOf({ resource }: ResultBlock): string | undefined {
  if (!isObject(resource) || typeof resource['uri'] !== 'string') return undefined;
  const path = resource['uri'].replace(/[?#].*$/s, '');
  return path.split('/').at(-1) || undefined;
}
