import { expect, test } from 'vitest';
import { codeOf, messageOf } from '../src/index.ts';

test.each([
  [new Error('no'), 'no'],
  ['text', 'text'],
  [undefined, 'undefined'],
  [Object.create(null), 'A value without a string form was thrown'],
])('the message of %o', (thrown, message) => {
  expect(messageOf(thrown)).toBe(message);
});

test('the code of a system error', () => {
  expect(codeOf(Object.assign(new Error('no'), { code: 'ENOENT' }))).toBe('ENOENT');
  expect(codeOf(Object.assign(new Error('no'), { code: 1 }))).toBeUndefined();
  expect(codeOf({ code: 'ENOENT' })).toBeUndefined();
});
