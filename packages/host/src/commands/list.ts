import type { Command } from '../command-line/command.ts';
import { table } from '../terminal/table.ts';

export const list: Command = {
  name: 'list',
  aliases: ['ls'],
  usage: '',
  help: 'the servers that are configured, and the files that name them; starts none',
  run({ configuration, output }) {
    const { servers, problems } = configuration;
    const rows = servers.map(({ name, enabled, scope, format, origin }) => ({
      name,
      enabled,
      scope,
      host: format.title,
      file: origin.file,
      line: origin.line,
    }));
    if (output.json) {
      output.value({
        servers: rows,
        problems: problems.map(({ file, error }) => ({ file, message: error.message })),
      });
    } else if (rows.length === 0) {
      output.text('No servers are configured. Name one: mcp tools -- npx -y @mcp/server-filesystem .');
    } else {
      const cells = rows.map((row) => [
        row.name,
        row.enabled ? row.scope : 'disabled',
        `${row.host}  ${row.file}:${row.line}`,
      ]);
      for (const line of table(cells, output.width)) output.text(line);
    }
    if (!output.json) for (const { error } of problems) output.note(output.styled('yellow', error.message));
    return Promise.resolve(problems.length > 0 ? 1 : 0);
  },
};
