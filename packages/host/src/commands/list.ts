import type { Command } from '../command-line/command.ts';
import type { ConfiguredServer } from '../config/load-configuration.ts';
import { ForOneHost } from '../config/entry/read-entry.ts';
import { UnsetVariable } from '../config/entry/expand-variables.ts';
import { exitCodes } from '../errors.ts';
import { serverNamed } from '../servers/configured-servers.ts';
import type { Servers } from '../servers/servers.ts';
import { table } from '../terminal/table.ts';
import { noServers } from '../views/no-servers.ts';
import { ageText } from '../views/list-servers.ts';

export const list: Command = {
  name: 'list',
  aliases: ['ls'],
  usage: '[server…]',
  help: 'the servers that are configured, or those that are named: how many tools they had when last listed, and the files that name them; starts none',
  words: ['server'],
  async run(input) {
    const { positionals, configuration, servers: host, output } = input;
    const { problems } = configuration;
    const servers =
      positionals.length === 0
        ? configuration.servers
        : positionals.map((name) => serverNamed(name, configuration.servers));
    const rows = await Promise.all(
      servers.map(async ({ name, enabled, scope, format, origin }, index) => ({
        name,
        enabled,
        scope,
        host: format.title,
        file: origin.file,
        line: origin.line,
        cached: enabled ? await cachedTools(name, host) : undefined,
        error: enabled ? await wrongEntry(servers[index]!) : undefined,
      })),
    );
    const isWrong = problems.length > 0 || rows.some(({ error }) => error !== undefined);
    if (output.json) {
      output.value({
        servers: rows,
        problems: problems.map(({ file, error }) => ({ file, message: error.message })),
      });
    } else if (rows.length === 0) {
      output.text(noServers());
    } else {
      if (input.isBare) {
        const { headline } = await import('./cost/headline.ts');
        output.text(await headline(input));
      }
      const cells = rows.map((row) => [
        row.name,
        row.error === undefined ? (row.enabled ? row.scope : 'disabled') : 'wrong',
        row.cached ? `${row.cached.tools} tools, ${ageText(Date.now() - Date.parse(row.cached.at))} ago` : '',
        row.scope === 'command-line' ? '' : `${row.host}  ${row.file}:${row.line}`,
      ]);
      for (const line of table(cells, output.width)) output.text(line);
    }
    const messages = [...problems.map(({ error }) => error.message), ...rows.map(({ error }) => error)];
    for (const message of output.json ? [] : messages)
      if (message !== undefined) output.note(message, 'yellow');
    return isWrong ? exitCodes.usage : exitCodes.ok;
  },
};

/**
 * The message of the error in a server's entry; undefined if the entry is correct, or correct for its host
 * alone, or if only a variable has no value.
 */
async function wrongEntry(server: ConfiguredServer): Promise<string | undefined> {
  try {
    await server.resolve((id) => `‹input ${id}›`);
    return undefined;
  } catch (error) {
    const { message, cause } = error as Error;
    return cause instanceof UnsetVariable || cause instanceof ForOneHost ? undefined : message;
  }
}

/** The number of tools in the cached list and the time of the list; undefined if no list is cached. */
async function cachedTools(
  name: string,
  servers: Servers,
): Promise<{ readonly tools: number; readonly at: string } | undefined> {
  try {
    const { items, cachedAt = 0 } = await servers.list(name, 'tools', { cachedAfterMs: 0 });
    return { tools: items.length, at: new Date(cachedAt).toISOString() };
  } catch {
    // No list is cached, or the entry cannot be resolved. Commands that use the server report the error.
    return undefined;
  }
}
