import type { OptionValues } from '../../command-line/command.ts';
import { usageError } from '../../errors.ts';
import { type NamedTool, ServedTools } from '../../policy/served-tools.ts';
import { printedCommand } from '../../printed-command.ts';

export interface Serving {
  /** The servers that are served. */
  readonly names: readonly string[];
  /** Whether the command line has the command of the only server, so that its tools are named without it. */
  readonly adHoc: boolean;
  readonly warn: (message: string) => void;
}

/**
 * The tools for clients that log in; undefined without `--login`. Throws a `HostError` if no servers are
 * named, or for a wrong `--allow`.
 */
export function servedToolsOf(
  options: OptionValues,
  { names, adHoc, warn }: Serving,
): ServedTools | undefined {
  const { login, allow, servers, set } = options;
  if (login === undefined) {
    if (allow !== undefined) throw usageError('--allow has no effect without --login');
    return undefined;
  }
  if (servers === undefined && set === undefined && !adHoc)
    throw usageError(
      'Missing --servers: with --login, only servers that are named are served',
      `${printedCommand('serve', '--servers', names.join(','))} names all`,
    );
  const words = Array.isArray(allow) ? allow.flatMap((given: string) => given.split(',')) : [];
  const allowed = words
    .map((word) => word.trim())
    .filter((word) => word !== '')
    .map((word) => (adHoc ? { server: names[0]!, name: word } : namedTool(word, names)));
  return new ServedTools(allowed, warn);
}

/** Reads `server.tool` or `server/tool`; throws if no server, or more than one, may be meant. */
function namedTool(word: string, servers: readonly string[]): NamedTool {
  const of = (separator: string) =>
    servers
      .filter((server) => word.startsWith(`${server}${separator}`) && word.length > server.length + 1)
      .map((server) => ({ server, name: word.slice(server.length + 1) }));
  const exact = of('/');
  const meant = exact.length > 0 ? exact : of('.');
  const [tool] = meant;
  if (tool && meant.length === 1 && !tool.name.includes('*')) return tool;
  const expected =
    meant.length > 1
      ? `it may be ${meant.map(({ server, name }) => `${server}/${name}`).join(' or ')}`
      : `expected the name of one tool, such as ${servers[0]}.tool, of ${servers.join(', ')}`;
  throw usageError(`Invalid --allow: "${word}"; ${expected}`);
}
