import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as commandLine from '@mcp/protocol/command-line';
import * as web from '@mcp/protocol/web';
import * as http from '@mcp/protocol/http';
import * as protocol from '@mcp/protocol';
import * as jsonSchema from '@mcp/protocol/json-schema';
import * as stdio from '@mcp/protocol/stdio';
import * as tasks from '@mcp/protocol/tasks';
import * as testing from '@mcp/protocol/testing';
import * as state from '@mcp/protocol/state';
import * as telemetry from '@mcp/protocol/telemetry';
import * as wrap from '@mcp/protocol/wrap';
// By its path, because the test kit depends on this package.
import { bundlePrograms } from '../../test-kit/src/bundled-program.ts';
import { sourceFiles } from './source-files.ts';

// Each example is a process.
vi.setConfig({ testTimeout: 120_000 });

const source = fileURLToPath(new URL('../src/', import.meta.url));
// In the package, so that the examples find it by its name.
const directory = fileURLToPath(new URL(`fixtures/examples-${process.pid}/`, import.meta.url));
mkdirSync(directory, { recursive: true });
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const examples = new Map<string, string>();
for (const file of sourceFiles(source)) {
  const text = readFileSync(file, 'utf8');
  const block = /\/\*\*\n((?: \*.*\n)+?) \*\/\nexport (?:async )?function (\w+)/g;
  for (const [, comment = '', name = ''] of text.matchAll(block)) {
    const [, example] = / \* @example\n \* ```ts\n((?: \*.*\n)+?) \* ```/.exec(comment) ?? [];
    if (example !== undefined) examples.set(name, example.replace(/^ \* ?/gm, ''));
  }
}

// For users of the client.
const elsewhere = new Set(['serverCommand', 'spawnServer', 'serverEnvironment', 'memoryChannels']);

const entries = {
  protocol,
  stdio,
  http,
  web,
  tasks,
  testing,
  commandLine,
  jsonSchema,
  state,
  telemetry,
  wrap,
};
const functions = Object.values(entries).flatMap((entry) =>
  Object.entries(entry).flatMap(([name, value]) =>
    typeof value === 'function' && /^[a-z]/.test(name) && !elsewhere.has(name) ? [name] : [],
  ),
);

test('every public function for authors of servers has an example', () => {
  expect([...new Set(functions)].filter((name) => !examples.has(name))).toEqual([]);
});

beforeAll(() => {
  for (const [name, code] of examples) writeFileSync(`${directory}${name}.ts`, code);
  bundlePrograms(
    [...examples.keys()].map((name) => `${directory}${name}.ts`),
    directory,
  );
});

test.concurrent.each([...examples.keys()])('the example of %s runs', async (name) => {
  const file = `${directory}${name}.mjs`;
  const run = promisify(execFile)(process.execPath, [file], { timeout: 60_000 });
  run.child.stdin?.end();
  expect((await run).stderr).toBe('');
});
