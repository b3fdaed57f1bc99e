import { renameArguments } from '@mcp/protocol';
import type { Command } from '@mcp/run-commands';

/** Names that models use for the only argument with a text or a list of texts. */
const aliases = [
  'file',
  'files',
  'path',
  'paths',
  'file_path',
  'filePath',
  'filter',
  'pattern',
  'name',
  'args',
];

type Arguments = Parameters<typeof renameArguments>[0];

/**
 * Renames an argument only if the command has exactly one argument that takes a text or a list of texts,
 * because only then is it clear which argument the model means.
 */
export function interpretFor({ arguments: schemas }: Command): (args: Arguments) => Arguments {
  const texts = Object.entries(schemas).filter(([, { type, items }]) => (items?.type ?? type) === 'string');
  const [only] = texts;
  if (!only || texts.length > 1) return (args) => args;
  const unlisted = aliases.filter((each) => !Object.hasOwn(schemas, each));
  const names = Object.fromEntries(unlisted.map((each) => [each, only[0]]));
  return (args) => renameArguments(args, names);
}
