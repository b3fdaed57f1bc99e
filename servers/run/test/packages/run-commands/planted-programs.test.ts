import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../program.ts';
import { conversation, responses } from '@mcp/test-kit';
import { Workspace } from '../../workspace.ts';

const names = ['bwrap', 'unshare', 'mount', 'ip', 'ifconfig', 'mkfifo', 'grep', 'sleep', 'sh', 'taskkill'];

test.each(['off', 'preferred'])(
  'no program that the agent planted in PATH or beside a script runs outside of the sandbox (%s)',
  async (sandbox) => {
    using workspace = new Workspace({ test: { description: '-', script: 'test' } }, { sandbox });
    const mark = join(workspace.base, 'planted');
    for (const name of names) workspace.put(`node_modules/.bin/${name}`, `#!/bin/sh\n: > '${mark}'\n`, 0o755);
    workspace.put('package.json', '{ "scripts": { "test": "echo tested" } }');
    await workspace.allow();
    // As npx starts a server in the directory of a project.
    const PATH = `${join(workspace.project, 'node_modules/.bin')}:${process.env['PATH']}`;
    const { stdout } = await run([workspace.file], {
      input: conversation(['tools/call', { name: 'test', arguments: {} }]),
      env: { ...(process.env as Record<string, string>), PATH },
    });
    expect(JSON.stringify(responses(stdout).get(2).result)).toContain('1\\ttested');
    expect(existsSync(mark)).toBe(false);
  },
);
