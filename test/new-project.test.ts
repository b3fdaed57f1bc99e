import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { create } from '../packages/create-server/src/create.ts';
import { templates } from '../packages/create-server/src/templates.ts';
import { repository } from './server-program.ts';

// What `npm create @mcp/server` writes, with the packages of this repository in place of those of a registry.

const packed = join(repository, 'packages/create-server/dist/templates');
const host = join(repository, 'packages/host/dist/main.cjs');

test.each(templates)('`npm run dev` of a project from $name ($language) starts it', async (template) => {
  const directory = mkdtempSync(join(tmpdir(), 'mcp-new-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  create({ name: 'mine', template, range: '*', node: process.versions.node }, directory, packed);
  const installed = template.whole ? `servers/${template.name}` : 'examples/notes';
  // As `npm install` and `npm run build` leave it.
  for (const made of template.whole ? ['node_modules', 'dist'] : ['node_modules'])
    symlinkSync(join(repository, installed, made), join(directory, made), 'junction');
  if (template.first !== undefined)
    execFileSync(template.first, { cwd: directory, shell: true, stdio: 'ignore' });
  const { scripts } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
    scripts: { dev: string };
  };
  const [, words = ''] = /^npx --yes @mcp\/host (.+)$/.exec(scripts.dev) ?? [];
  const env = { PATH: process.env['PATH'] ?? '', HOME: directory, XDG_STATE_HOME: directory };
  const command = { command: process.execPath, args: [host, ...words.split(' ')], cwd: directory, env };
  await using client = await Client.connect(serverCommand(command), { revision: '2025-11-25' });
  expect((await client.listTools()).length).toBeGreaterThan(0);
});
