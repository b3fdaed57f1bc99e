import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TemporaryDirectory } from '@mcp/test-kit';
import { describe, expect, test } from 'vitest';
import { loadConfiguration } from '../packages/host/src/index.ts';
import { hostConfigurations, programs } from '../scripts/host-configurations.ts';
import { repository } from './server-program.ts';

describe.each(programs)('the README of $name', (program) => {
  const readme = readFileSync(join(repository, 'servers', program.name, 'README.md'), 'utf8');
  /** The first code block, from the name of the host on if it has its own. */
  const block = (title: string, own: boolean) =>
    /```(?:json|toml)\n([\s\S]*?)```/.exec(
      own ? readme.slice(readme.indexOf(`**${title}**`)) : readme,
    )?.[1] ?? '';

  test.each(hostConfigurations(program))(
    '$title reads its configuration as the command of the server',
    async (given) => {
      expect(readme).toContain(given.shortcut ?? given.file);
      using directory = new TemporaryDirectory('hosts');
      const inHome = given.file.startsWith('~/');
      const file = join(inHome ? directory.base : directory.root, given.file.replace('~/', ''));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, block(given.title, given.own !== undefined));
      const { servers, problems } = await loadConfiguration({
        home: directory.base,
        cwd: directory.root,
        env: {},
        platform: given.title === 'Claude Desktop' ? 'darwin' : 'linux',
      });
      expect(problems).toEqual([]);
      expect(servers.map(({ name, format }) => [name, format.title])).toEqual([[program.name, given.title]]);
      expect(await servers[0]!.resolve()).toMatchObject({
        target: { command: 'npx', args: ['-y', `@mcp/server-${program.name}`, ...program.args] },
      });
    },
  );

  test('the links install the same command', () => {
    const entry = { command: 'npx', args: ['-y', `@mcp/server-${program.name}`, ...program.args] };
    const [, code = ''] = /\]\(https:\/\/insiders\.vscode\.dev\/redirect\?url=([^)]+)\)/.exec(readme) ?? [];
    const install = decodeURIComponent(code).replace('vscode:mcp/install?', '');
    expect(JSON.parse(decodeURIComponent(install))).toEqual({ name: program.name, ...entry });
    const [, cursor = ''] = /\]\((https:\/\/cursor\.com\/en\/install-mcp[^)]+)\)/.exec(readme) ?? [];
    const { searchParams } = new URL(cursor);
    expect(searchParams.get('name')).toBe(program.name);
    expect(JSON.parse(Buffer.from(searchParams.get('config') ?? '', 'base64').toString())).toEqual(entry);
  });
});
