import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { matches } from '../../packages/host/test/session-pattern.ts';
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
      workspace.put(
        'mistake.json',
        '{\n  "mcpServers": {\n    "files": { "command": "npx", "args": ["-y"] }\n    "git": {}\n  }\n}\n',
      );
      const identity = '-c user.name=Ada -c user.email=ada@example.com';
      await workspace.run(`git init --quiet own && cd own &&
        git ${identity} commit --quiet --allow-empty --message Begin && git worktree add ../side`);
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
