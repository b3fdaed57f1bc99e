import { renameArguments } from '@mcp/protocol';

type Arguments = Parameters<typeof renameArguments>[0];

/** Names of `path` that models bring from other tools. */
export const pathNames = { file_path: 'path', filePath: 'path' };

/** Renames aliases of `path`, and those in `names`, to the names in the tool's schema. */
export function interpretNames(names: Readonly<Record<string, string>> = {}): (args: Arguments) => Arguments {
  return (args) => renameArguments(args, { ...pathNames, ...names });
}

const grepNames = {
  pattern: 'text',
  query: 'text',
  '-i': 'ignoreCase',
  case_insensitive: 'ignoreCase',
  head_limit: 'limit',
  include: 'glob',
};

/**
 * Converts arguments that models take from grep: `pattern` becomes `text` with `regex`, and the largest of
 * `-A`, `-B` and `-C` becomes `context`.
 */
export function interpretSearch(args: Arguments): Arguments {
  const { '-n': numbers, '-A': after, '-B': before, '-C': around, output_mode: mode, ...rest } = args;
  if (numbers !== undefined && typeof numbers !== 'boolean') return args;
  const named = renameArguments(rest, { ...pathNames, ...grepNames });
  const isPattern = rest['pattern'] !== undefined && rest['text'] === undefined;
  const contexts = [after, before, around].filter((each) => typeof each === 'number');
  const context = contexts.length > 0 ? { context: Math.max(...contexts) } : {};
  const modes: Readonly<Record<string, Arguments>> = {
    content: {},
    files_with_matches: { filesOnly: true },
    count: { countOnly: true },
  };
  const shown = mode === undefined ? {} : typeof mode === 'string' ? modes[mode] : undefined;
  if (shown === undefined) return args;
  return { ...(isPattern ? { regex: true } : {}), ...context, ...shown, ...named };
}
