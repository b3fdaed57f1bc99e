import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Client } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { matches } from '../../packages/host/test/session-pattern.ts';
import { isFetched, nodeProgram } from '../../test/node-versions.ts';
import { serverProgram } from '../../test/server-program.ts';
import { type CodeBlock, codeBlocks } from './pages.ts';
import { Workspace } from './workspace.ts';

describe.each(['tutorial.md', 'troubleshooting.md', 'start.md', 'revisions.md'])(
  'the sessions of %s',
  (page) => {
    const workspace = new Workspace();
    const blocks = codeBlocks(page);
    const busy = createServer();

    beforeAll(async () => {
      if (page !== 'troubleshooting.md') return;
      workspace.put('notes.txt', 'Milk\n');
      mkdirSync(join(workspace.directory, 'photos'));
      // Port 8080 is taken, by this test or by another program.
      await Promise.race([once(busy.listen(8080, '127.0.0.1'), 'listening'), once(busy, 'error')]).catch(
        () => {},
      );
    });

    afterAll(() => {
      busy.close();
      workspace[Symbol.dispose]();
    });

    test.each(stepsOf(blocks))('%s', async (_, { file, command, text, meanwhile }) => {
      if (command === undefined) {
        workspace.put(file!, text);
        return;
      }
      const printed = await workspace.run(command, meanwhile);
      expect(matches(printed, text), `printed:\n${printed}\nshown:\n${text}`).toBe(true);
    });
  },
);

/** Writes a file, or runs a command that prints `text`. */
interface Step {
  readonly file?: string;
  readonly command?: string;
  readonly text: string;
  readonly meanwhile?: string | undefined;
}

/** Files to write and commands to run, in the order of a page. */
function stepsOf(blocks: readonly CodeBlock[]): [title: string, step: Step][] {
  return blocks.flatMap(({ language, file, code, meanwhile }): [string, Step][] => {
    if (file !== undefined) return [[`write ${file}`, { file, text: code }]];
    if (language !== 'console') return [];
    return code
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const end = part.indexOf('\n');
        const command = part.slice(0, end);
        return [command, { command, text: part.slice(end + 1).trimEnd(), meanwhile }];
      });
  });
}

describe('the other messages of troubleshooting.md', () => {
  const shown = codeBlocks('troubleshooting.md')
    .filter(({ language }) => language === 'text')
    .map(({ code }) => code.trimEnd());
  const expectShown = (printed: string) =>
    expect(
      shown.filter((text) => matches(printed.trimEnd(), text)),
      printed,
    ).toHaveLength(1);

  test('there are as many as these tests provoke', () => expect(shown).toHaveLength(4));

  test.each([
    ['filesystem', 'list_directory', { path: '.' }],
    ['git', 'git_status', {}],
  ])('a call of %s without an allowed path', async (name, tool, args) => {
    const client = await Client.connect(
      serverCommand({ command: process.execPath, args: [serverProgram(name)] }),
    );
    const { content } = await client.callTool(tool, args);
    await client.close();
    expectShown(content[0]?.type === 'text' ? content[0].text : '');
  });

  test('no git on the PATH', async () => {
    using workspace = new Workspace();
    const command = `PATH=/nonexistent '${process.execPath}' '${serverProgram('git')}' -r . 2>&1 | head -1`;
    expectShown(await workspace.run(command));
  });

  test.skipIf(!isFetched('20.19'))('the SQLite server on Node 20', async () => {
    using workspace = new Workspace();
    expectShown(await workspace.run(`'${await nodeProgram('20.19')}' '${serverProgram('sqlite')}'`));
  });
});
