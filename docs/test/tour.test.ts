import { mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { hasTerminals, Terminal } from '../../packages/host/test/terminal.ts';
import { TemporaryDirectory } from '../../packages/test-kit/src/temporary-directory.ts';
import { tourPicture } from '../tour-picture.ts';
import { tourSession } from '../tour-session.ts';
import { TourVisitor } from '../tour-visitor.ts';
import { docs, repository } from './pages.ts';

// The tour starts 58 processes.
vi.setConfig({ testTimeout: 120_000 });

const read = (name: string) => readFileSync(join(docs, name), 'utf8');

test('the picture of the tour shows the recorded session', () => {
  expect(read('tour.svg'), 'run `node docs/record-tour.ts`').toBe(tourPicture(read('tour.txt')));
});

test('the recorded session has no times, which differ from machine to machine', () => {
  expect(read('tour.txt')).not.toMatch(/\d ms/);
});

test('the picture of the tour stays below 60 kB', () => {
  expect(Buffer.byteLength(read('tour.svg'))).toBeLessThan(60_000);
});

test('the tour shows what is recorded, starts no server of the visitor, and leaves nothing behind', async () => {
  const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  expect(scripts.start).toBe('node scripts/tour.ts');
  using visitor = await TourVisitor.create();
  const temporary = () => readdirSync(join(visitor.base, 'tmp'));
  const before = { files: visitor.files, temporary: temporary() };
  const session = await tourSession(visitor);
  expect(visitor.started).toEqual([]);
  expect(shape(session), 'run `node docs/record-tour.ts`').toEqual(shape(read('tour.txt')));
  expect({ files: visitor.files, temporary: temporary() }).toEqual(before);
  await expectNoProcess(visitor.base);
});

describe.skipIf(!hasTerminals)('in a terminal', () => {
  test('without servers, the tour has colours and a sample; Ctrl-C leaves nothing behind', async () => {
    using directory = new TemporaryDirectory('tour-terminal');
    const temporary = join(directory.base, 'tmp');
    mkdirSync(temporary);
    const tour = `'${process.execPath}' '${join(repository, 'scripts/tour.ts')}'`;
    const env = { PATH: process.env['PATH'] ?? '', HOME: directory.base, TMPDIR: temporary };
    const terminal = new Terminal(tour, { env });
    await terminal.shows('No servers are configured.');
    await terminal.shows(/4 servers in this file: \d+ tools, [\d,]+ tokens in each request/);
    await terminal.shows('\u001b[31m  - description: Returns the entries of today.\u001b[39m');
    await terminal.shows('\u001b[32m  + description: Returns the entries of today. First,');
    await terminal.shows('Listening on');
    terminal.type('\u0003');
    const code = await terminal.ended();
    expect(code, terminal.output).toBe(130);
    await expectNoProcess(directory.base);
    expect(readdirSync(temporary)).toEqual([]);
  });
});

/** The shell that ends the servers of a killed gateway ends soon after them. */
async function expectNoProcess(directory: string): Promise<void> {
  await vi.waitFor(() => expect(processesOf(directory)).toEqual([]), { timeout: 15_000, interval: 50 });
}

/** The command lines of the processes that have a path below a directory in them, or in their environment. */
function processesOf(directory: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const [command, environment] = ['cmdline', 'environ'].map((name) =>
        readFileSync(`/proc/${pid}/${name}`, 'utf8'),
      );
      const texts = [command!, environment!, readlinkSync(`/proc/${pid}/cwd`)];
      return texts.some((each) => each.includes(directory)) ? [command!.replaceAll('\0', ' ')] : [];
    } catch {
      // It has ended, or belongs to another user.
      return [];
    }
  });
}

function shape(session: string): string[] {
  return session.split('\n').map((line) =>
    line
      .replace(/base64,[\w+/=]+/, 'base64,')
      .replace(/\d+(?:\.\d+)*/g, '0')
      .replace(/ +/g, ' '),
  );
}
