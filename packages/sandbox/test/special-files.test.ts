import { execFileSync } from 'node:child_process';
import { appendFileSync, closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Sandbox } from '../src/sandbox.ts';
import { openers, problem, textOf, Workspace } from './workspace.ts';

describe.each(openers)('files that are not regular, opened $how', ({ opener }) => {
  it('reading or writing a FIFO is refused immediately', async () => {
    using workspace = new Workspace({ 'a.txt': 'hello' });
    const sandbox = workspace.open({ opener });
    execFileSync('mkfifo', [join(workspace.root, 'fifo')]);
    const refused = 'Not a regular file but a fifo: "fifo"';
    const problems = Array.from({ length: 5 }, () => problem(() => sandbox.readText('fifo')));
    expect(await Promise.all(problems)).toEqual(Array.from({ length: 5 }, () => refused));
    expect(await problem(() => sandbox.read('fifo'))).toBe(refused);
    expect(await problem(() => sandbox.write('fifo', 'x'))).toBe('Not a regular file: "fifo"');
    expect(await problem(() => sandbox.edit('fifo', [{ oldText: 'a', newText: 'b' }]))).toBe(
      'Not a regular file: "fifo"',
    );
    expect((await sandbox.info('fifo')).kind).toBe('fifo');
    expect(await textOf(sandbox, 'a.txt')).toBe('hello');
  });

  it('reading or writing a socket or a device is refused', async () => {
    using workspace = new Workspace();
    const sandbox = workspace.open({ opener });
    await using server = createServer();
    await new Promise<void>((listening) => server.listen(join(workspace.root, 'socket'), listening));
    expect(await problem(() => sandbox.readText('socket'))).toBe('Not a regular file but a socket: "socket"');
    expect(await problem(() => sandbox.write('socket', 'x'))).toBe('Not a regular file: "socket"');

    const devices = Sandbox.open({ directories: ['/dev'], opener });
    expect(await problem(() => devices.readText('null'))).toBe('Not a regular file but a device: "null"');
    expect(await problem(() => devices.readText('zero', { head: 1 }))).toBe(
      'Not a regular file but a device: "zero"',
    );
    expect((await devices.info('zero')).kind).toBe('device');
  });
});

describe('files whose size is misleading', () => {
  it('files in /proc, whose size is 0, are read', async () => {
    const sandbox = Sandbox.open({ directories: ['/proc'] });
    expect((await textOf(sandbox, 'self/status')).startsWith('Name:')).toBe(true);
    expect((await sandbox.readText('self/status', { tail: 1 })).text).toMatch(/^\w+:/);
    expect(await problem(() => sandbox.readText('self/mem'))).toMatch(/^Input or output error: "self\/mem"/);
    expect(await problem(() => sandbox.readText('self/environ'))).toMatch(/^Not text: a NUL byte/);
    expect(await problem(() => sandbox.readText('self/root/etc/hostname'))).toMatch(/^Outside/);
    expect(await problem(() => sandbox.readText('self/cwd/package.json'))).toMatch(/^Outside/);
  });

  it('a sparse file of 5 GB is read in constant memory', async () => {
    using workspace = new Workspace();
    const sandbox = workspace.open();
    const file = openSync(workspace.put('huge.txt', 'first\n'), 'r+');
    ftruncateSync(file, 5 * 1024 ** 3);
    writeSync(file, '\nlast\n', 5 * 1024 ** 3);
    closeSync(file);
    const before = process.memoryUsage().rss;
    expect((await sandbox.readText('huge.txt', { head: 1 })).text).toBe('first');
    expect((await sandbox.readText('huge.txt', { tail: 1 })).text).toBe('last');
    expect(await problem(() => sandbox.readText('huge.txt'))).toMatch(/^Not text: a NUL byte/);
    expect(await problem(() => sandbox.read('huge.txt'))).toMatch(/^Too large to read as a whole/);
    expect(await problem(() => sandbox.edit('huge.txt', [{ oldText: 'first', newText: 'x' }]))).toMatch(
      /^Too large to change or hash/,
    );
    expect((await sandbox.info('huge.txt')).size).toBe(5 * 1024 ** 3 + 6);
    expect(await sandbox.search('huge.txt', 'last')).toMatchObject({ matches: 0, searched: 0, binary: 1 });
    expect((await sandbox.readLines('huge.txt', { limit: 1 })).lines).toEqual(['first']);
    expect(await problem(() => sandbox.readMedia('huge.txt'))).toMatch(/^Too large to read as a whole/);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 ** 2);
  });

  it('reading the tail of a file that grows terminates', async () => {
    using workspace = new Workspace();
    const sandbox = workspace.open();
    const path = workspace.put('a.txt', 'x\n'.repeat(200_000));
    const tail = sandbox.readText('a.txt', { tail: 1e9 });
    appendFileSync(path, 'y\n'.repeat(200_000));
    expect((await tail).text).toMatch(/^x/);
  });
});
