import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { conversation, responses, runProgram } from '@mcp/test-kit';
import { expect, onTestFinished, test } from 'vitest';
import { repository } from './server-program.ts';

test('the calculator of docs/clone.md runs in the clone and answers a call', async () => {
  const [, code] = /```js\n([\s\S]*?)```/.exec(readFileSync(join(repository, 'docs/clone.md'), 'utf8')) ?? [];
  const file = join(repository, `calculator-${process.pid}.mjs`);
  onTestFinished(() => rmSync(file));
  writeFileSync(file, code!);
  const input = conversation(['tools/call', { name: 'add', arguments: { a: 2, b: 3 } }]);
  const { stdout, stderr, code: exit } = await runProgram(file, [], { input });
  expect({ stderr, exit }).toEqual({ stderr: '', exit: 0 });
  expect(responses(stdout).get(2).result).toEqual({ content: [{ type: 'text', text: '5' }] });
});
