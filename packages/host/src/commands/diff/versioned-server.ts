import { type Client, revisions, RpcError } from '@mcp/protocol/client';
import type { CommandInput } from '../../command-line/command.ts';
import { launchers } from '../../config/entry/launchers.ts';
import type { ServerEntry } from '../../config/entry/server-entry.ts';
import { usageError } from '../../errors.ts';
import { printedCommand } from '../../printed-command.ts';
import { hostErrorOf } from '../../servers/host-error-of.ts';
import { type ListName, readList } from '../../servers/lists.ts';
import type { ServerLists } from './list-changes.ts';

/** A server as the command line names it: `server`, `server@1.2.3` or `server@2025-06-18`. */
export interface VersionedServer {
  readonly server: string;
  readonly version?: string;
  readonly revision?: string;
}

/** Splits `server@version`. The name of a server may have `@` itself. */
export function versionedServer(word: string, names: readonly string[]): VersionedServer {
  const at = word.lastIndexOf('@');
  if (names.includes(word) || at <= 0) return { server: word };
  const [server, version] = [word.slice(0, at), word.slice(at + 1)];
  return (revisions as readonly string[]).includes(version)
    ? { server, revision: version }
    : { server, version };
}

/** Starts a server of a version, and reads all that it lists, also what `mcp trust` would withhold. */
export async function readLists(
  { server, version, revision }: VersionedServer,
  { servers, signal }: Pick<CommandInput, 'servers' | 'signal'>,
) {
  const configured = await servers.resolve(server);
  const entry = version === undefined ? configured : withVersion(configured, version);
  const client = await servers.open(entry, { revision, signal });
  try {
    return {
      serverInfo: client.serverInfo,
      revision: client.revision,
      lists: await listsOf(client, entry, signal),
    };
  } catch (error) {
    throw hostErrorOf(error, entry);
  } finally {
    await client.close();
  }
}

async function listsOf(client: Client, entry: ServerEntry, signal: AbortSignal): Promise<ServerLists> {
  const read = <K extends ListName>(kind: K) => readList(client, entry, kind, { signal });
  return {
    tools: await read('tools'),
    prompts: await read('prompts'),
    resources: await read('resources'),
    // Some servers with resources do not support the list of templates, which has no capability of its own.
    resourceTemplates: await read('resourceTemplates').catch((error: unknown) => {
      if (error instanceof RpcError) return [];
      throw error;
    }),
    capabilities: client.capabilities,
    instructions: client.instructions,
  };
}

/** Options that launchers take before the package, and that have no value. */
const flags = ['-y', '--yes', '-q', '--quiet', '--prefer-offline', '--bun'];
/** The first word after the options: a package, with `@` before a version. */
const packageName = /^((?:@[\w.-]+\/)?(?!-)[\w.-]+)(?:@[^@/]*)?$/;

/** The entry of a server with another version of its package. Throws a `HostError` where there is none. */
function withVersion(entry: ServerEntry, version: string): ServerEntry {
  const { name, target } = entry;
  const args = target.kind === 'stdio' && launchers.test(target.command) ? target.args : [];
  const at = args.findIndex((each) => !flags.includes(each));
  const [, packaged] = packageName.exec(args[at] ?? '') ?? [];
  if (target.kind !== 'stdio' || packaged === undefined)
    throw usageError(
      `The server "${name}" has no version "${version}" that could be started: its entry does not start a package with npx, bunx, pnpx or uvx`,
      `add an entry for the other version, and compare the two: ${printedCommand('diff', name, '<server>')}; @ also takes a revision: ${revisions.join(', ')}`,
    );
  return { ...entry, target: { ...target, args: args.with(at, `${packaged}@${version}`) } };
}
