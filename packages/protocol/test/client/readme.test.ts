import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { fixtureProgram } from '../fixtures/fixture-program.ts';

const root = new URL('../../', import.meta.url);
const [, section = ''] = readFileSync(new URL('README.md', root), 'utf8').split('\n## A client\n');
const [clientPart = ''] = section.split('\n## ');
const snippets = [...clientPart.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
const fixture = fixtureProgram('serve-files.ts');

/** Runs a snippet, with the server of the fixture in place of the one that npx would fetch. */
async function run(snippet: string): Promise<{ code: unknown; out: string; err: string }> {
  const args = `args: [${JSON.stringify(fixture)}]`;
  const code = snippet
    .replace("command: 'npx'", `command: ${JSON.stringify(process.execPath)}`)
    .replace("args: ['-y', '@mcp/server-filesystem', '.']", args);
  expect(code).not.toBe(snippet);
  const child = spawn(process.execPath, ['--conditions=@mcp/source', '--input-type=module', '-e', code], {
    cwd: fileURLToPath(root),
  });
  const ended = once(child, 'close');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [exit] = (await ended) as [number];
  return { code: exit, out, err };
}

test('the README calls a tool', async () => {
  expect(await run(snippets[0] ?? '')).toEqual({
    code: 0,
    out: "2026-07-28\n[ 'list_directory', 'crash' ]\n1 2\n2 2\nundefined 1\n",
    err: '',
  });
});

test('the README calls a tool of a server in both eras', async () => {
  expect(await run(snippets[1] ?? '')).toEqual({
    code: 0,
    out: '2026-07-28 undefined\n2025-11-25 undefined\n',
    err: '',
  });
});

test('the README subscribes to a resource and is notified after a lost connection', async () => {
  const crashing = `const notified = new Promise((resolve) => (globalThis.notified = resolve));
    await client.callTool('crash').catch(() => {});
    await notified;
    await stop();`;
  const snippet = (snippets[2] ?? '')
    .replace(
      "() => console.log('changed', file)",
      "() => (console.log('changed', file), globalThis.notified())",
    )
    .replace('await stop();', crashing);
  const { code, out, err } = await run(snippet);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^1\nlost .*exit code 9\nchanged file:.*package\.json\n/);
});
