import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { askForm, type Form } from './elicit.ts';

const form: Form = {
  message: 'Which \u001b[2Jbranch?',
  requestedSchema: {
    properties: {
      name: { type: 'string', title: 'Name' },
      force: { type: 'boolean', default: false },
      depth: { type: 'integer', description: 'How deep' },
      mode: { type: 'string', enum: ['merge', 'rebase'] },
      labels: { type: 'array', items: { enum: ['a', 'b'] } },
    },
    required: ['name', 'mode'],
  },
};

/** Answers a form with these lines, then the end of the input. */
async function answer(lines: readonly string[], asked: Form = form) {
  const input = new PassThrough();
  const output = new PassThrough();
  input.end(lines.map((line) => `${line}\n`).join(''));
  const result = await askForm('git', asked, { input, output }, new AbortController().signal);
  output.end();
  return { result, shown: await text(output) };
}

test('a form is asked field by field, with defaults, optional fields and choices', async () => {
  const { result, shown } = await answer(['main', '', '', 'rebase', 'a, b']);
  expect(result).toEqual({
    action: 'accept',
    content: { name: 'main', force: false, mode: 'rebase', labels: ['a', 'b'] },
  });
  expect(shown).toContain('git asks: Which branch?');
  expect(shown).toContain('mode (merge | rebase): ');
});

test('a line that does not fit is asked again', async () => {
  const { result, shown } = await answer(['main', 'maybe', 'yes', '1.5', '3', 'squash', 'merge', '']);
  expect(result).toEqual({
    action: 'accept',
    content: { name: 'main', force: true, depth: 3, mode: 'merge' },
  });
  expect(shown).toContain('"squash" is not one of merge, rebase');
});

test('a form without fields is a question of its own, which nothing accepts but a yes', async () => {
  const empty = { message: 'Delete all?', requestedSchema: { properties: {} } };
  expect((await answer([], empty)).result).toEqual({ action: 'cancel' });
  expect((await answer(['', 'no'], empty)).result).toEqual({ action: 'decline' });
  const { result, shown } = await answer(['yes'], empty);
  expect(result).toEqual({ action: 'accept', content: {} });
  expect(shown).toContain('  Accept (yes | no): ');
});

test('! declines, and the end of the input cancels', async () => {
  expect((await answer(['main', '!'])).result).toEqual({ action: 'decline' });
  expect((await answer(['main'])).result).toEqual({ action: 'cancel' });
});
