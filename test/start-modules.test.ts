import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const repository = join(import.meta.dirname, '..');
const directory = mkdtempSync(join(tmpdir(), 'start-modules-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const preload = join(directory, 'preload.cjs');
writeFileSync(preload, "process.on('exit', () => console.error('LOADED ' + process.moduleLoadList.join()));");
const commands = join(directory, 'commands.json');
writeFileSync(commands, '{ "commands": {} }');

// Each of these takes a millisecond or more of a start, which lasts about ten milliseconds without them.
const slow = ['crypto', 'fs/promises', 'http', 'worker_threads', 'vm'];

test.each([
  ['filesystem', [directory]],
  ['git', []],
  ['sqlite', []],
  ['weather', ['--demo']],
  ['run', [commands]],
])('the start of %s loads no slow module of Node, and no zod', (name, args) => {
  const dist = join(repository, 'servers', name, 'dist');
  const { stderr } = spawnSync(process.execPath, ['--require', preload, join(dist, 'main.cjs'), ...args], {
    input: '',
    encoding: 'utf8',
    cwd: directory,
  });
  const [, loaded = ''] = /^LOADED (.*)$/m.exec(stderr) ?? [];
  expect(loaded).toContain('NativeModule net');
  // The git server starts git after the handshake, also if there was none.
  const unwanted = name === 'git' ? slow : [...slow, 'child_process'];
  expect(unwanted.filter((module) => loaded.split(',').includes(`NativeModule ${module}`))).toEqual([]);
  expect(readFileSync(join(dist, 'server.cjs'), 'utf8')).not.toContain('_zod');
});
