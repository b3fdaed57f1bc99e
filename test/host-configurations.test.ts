import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TemporaryDirectory } from '@mcp/test-kit';
import { describe, expect, test } from 'vitest';
import { loadConfiguration } from '../packages/host/src/index.ts';
import { hostConfigurations, programs } from '../scripts/host-configurations.ts';
import { repository } from './server-program.ts';

test.each(['README.md', 'docs/start.md'])('%s names the hosts that take its configuration', (path) => {
  const paragraphs = readFileSync(join(repository, path), 'utf8').split('\n\n');
  const text = paragraphs.find((each) => each.includes(' take this.'))!.replaceAll('\n', ' ');
  const listed = (pattern: RegExp) =>
    pattern
      .exec(text)?.[1]
      ?.split(/, | and /)
      .toSorted();
  const titles = (isOwn: boolean) =>
    hostConfigurations(programs[0]!)
      .filter(({ own }) => (own !== undefined) === isOwn)
      .map(({ title }) => title)
      .toSorted();
  expect(listed(/([A-Z][\w ,]*) take this\./)).toEqual(titles(false));
  expect(listed(/take this\. ([\w ,]*) have formats of their own/)).toEqual(titles(true));
});

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
      const { file, elsewhere = {}, shortcut = '' } = given;
      expect(readme).toContain(shortcut);
      const files = { darwin: file, linux: elsewhere.Linux ?? file, win32: elsewhere.Windows ?? file };
      for (const [platform, path] of Object.entries(files)) {
        expect(readme, path).toContain(`\`${path}\``);
        using directory = new TemporaryDirectory('hosts');
        const inHome = path.replace('%APPDATA%', '~/AppData/Roaming').replaceAll('\\', '/');
        const base = inHome.startsWith('~/') ? directory.base : directory.root;
        const whole = join(base, inHome.replace('~/', ''));
        mkdirSync(dirname(whole), { recursive: true });
        writeFileSync(whole, block(given.title, given.own !== undefined));
        const { servers, problems } = await loadConfiguration({
          home: directory.base,
          cwd: directory.root,
          env: {},
          platform: platform as NodeJS.Platform,
        });
        expect(problems).toEqual([]);
        expect(servers.map(({ name, format }) => [name, format.title])).toEqual([
          [program.name, given.title],
        ]);
        expect(await servers[0]!.resolve()).toMatchObject({
          target: { command: 'npx', args: ['-y', `@mcp/server-${program.name}`, ...program.args] },
        });
      }
    },
  );

  test('the commands that add it write the file beside them', () => {
    const shell = ['npx', '-y', `@mcp/server-${program.name}`, ...program.args].join(' ');
    expect(readme).toContain(`\`.mcp.json\` `);
    expect(readme).toContain(`\`claude mcp add -s project ${program.name} -- ${shell}\``);
    expect(readme).toContain(`\`gemini mcp add -s user ${program.name} ${shell}\``);
  });

  test('it says how Windows starts the same command', () => {
    const [, members = '{}'] = /`("command": "cmd", "args": \[.*?\])`/.exec(readme) ?? [];
    expect(JSON.parse(`{${members}}`)).toEqual({
      command: 'cmd',
      args: ['/c', 'npx', '-y', `@mcp/server-${program.name}`, ...program.args],
    });
  });

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
