import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import type * as Official from './official/client.ts';
import { serverProgram } from './server-program.ts';

// The clients, where they are installed.
const { HttpV1, HttpV2, StdioV1, StdioV2, useV1, useV2, useV2Stateless } = inject('official')
  ? await import('./official/client.ts')
  : ({} as typeof Official);

// Each client lists, calls, reads, subscribes, and is notified when another program changes the file.

let directory: string;
let note: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'mcp-official-'));
  note = join(directory, 'note.txt');
});

beforeEach(() => writeFile(note, 'first\n'));
afterAll(() => rm(directory, { recursive: true }));

describe.skipIf(!inject('official'))('over stdio', () => {
  const command = () => ({ command: process.execPath, args: [serverProgram('filesystem'), directory] });

  test('v1 client', () => useV1(new StdioV1(command()), note));

  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('v2 client at %s', (version) =>
    useV2(new StdioV2(command()), note, version),
  );

  test('v2 client pinned to 2026-07-28', () =>
    useV2Stateless(new StdioV2(command()), note, { pin: '2026-07-28' }));

  test('v2 client left to choose', () => useV2Stateless(new StdioV2(command()), note, 'auto'));
});

describe.skipIf(!inject('official'))('over HTTP', () => {
  let url: URL;
  let stop: () => Promise<unknown>;

  beforeEach(async () => {
    const server = spawn(process.execPath, [serverProgram('filesystem'), '--http', '0', directory], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    url = await new Promise((resolve) => {
      createInterface(server.stderr).on('line', (line) => {
        const [, address] = /^Listening on (.+)$/.exec(line) ?? [];
        if (address !== undefined) resolve(new URL(address));
      });
    });
    stop = async () => {
      server.kill('SIGTERM');
      const [code] = await once(server, 'exit');
      return code;
    };
  });

  afterEach(async () => expect(await stop()).toBe(0));

  test('v1 client', () => useV1(new HttpV1(url), note));

  test.each(['2025-03-26', '2025-06-18', '2025-11-25'])('v2 client at %s', (version) =>
    useV2(new HttpV2(url), note, version),
  );

  test('v2 client pinned to 2026-07-28', () => useV2Stateless(new HttpV2(url), note, { pin: '2026-07-28' }));
});
