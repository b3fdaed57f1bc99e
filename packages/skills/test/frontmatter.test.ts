import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseFrontmatter } from '../src/index.ts';

const parse = (fields: string) => parseFrontmatter(`---\nname: greet\n${fields}\n---\nBody\n`);

describe('valid', () => {
  test.each<[string, object]>([
    ['description: Plain text # and a comment', { description: 'Plain text' }],
    ['description: "Quoted: \\u00e9"', { description: 'Quoted: é' }],
    ['description: |\n  Two\n  lines', { description: 'Two\nlines\n' }],
    ['description: >-\n  Folded\n  lines', { description: 'Folded lines' }],
    [
      'description: x\nmetadata:\n  version: "1.0"\n  tags: [a, b]',
      { metadata: { version: '1.0', tags: ['a', 'b'] } },
    ],
    [
      'description: x\nsince: 2026-01-01\nanswer: no\ncount: 0o17',
      { since: '2026-01-01', answer: 'no', count: 15 },
    ],
    ['description: x\n__proto__: {polluted: true}', { description: 'x' }],
  ])('%j', async (fields, expected) => {
    const frontmatter = await parse(fields);
    expect(frontmatter).toMatchObject({ name: 'greet', ...expected });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('after a byte order mark, with Windows line endings, and without a body', async () => {
    const text = '\uFEFF---\r\nname: a\r\ndescription: b\r\n---';
    expect(await parseFrontmatter(text)).toEqual({ name: 'a', description: 'b' });
  });
});

describe('refused', () => {
  const bomb = Array.from({ length: 9 }, (_, index) => {
    const items = Array.from({ length: 9 }, () => (index === 0 ? 'x' : `*a${index - 1}`));
    return `a${index}: &a${index} [${items.join(', ')}]`;
  }).join('\n');

  test.each([
    ['two fields of one name', 'description: x\ndescription: y', 'duplicated mapping key'],
    ['aliases that multiply', `description: x\n${bomb}`, 'its aliases stand for too many values'],
    ['deep nesting', `description: ${'['.repeat(30_000)}`, 'nesting exceeded maxDepth'],
    ['a tag of a language', 'description: x\nrun: !!js/function "x"', 'The frontmatter is not valid'],
    ['a number that JSON does not have', 'description: x\nlimit: .inf', 'JSON has no number Infinity'],
    ['no description', 'license: MIT', 'The frontmatter needs "description", a text'],
    ['an empty description', 'description: " "', 'The frontmatter needs "description", a text'],
    ['more than 64 Ki characters', `description: ${'x'.repeat(65_536)}`, 'There is no frontmatter'],
  ])('%s', async (_, fields, message) => {
    await expect(parse(fields)).rejects.toThrow(message);
  });

  test.each(['', 'name: a\n---\n', '---\n---\n', '---\n- a\n---\n', '--- \nname: a\n'])(
    '%j',
    async (text) => {
      await expect(parseFrontmatter(text)).rejects.toThrow('rontmatter');
    },
  );
});

test('any text has a frontmatter or an error', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: fc.constantFrom(...Array.from('---\n:[]{}#&*!|>\'"%@ ab1\r\t')) }),
      async (fields) => {
        const result = await parse(`description: x\n${fields}`).catch((error: unknown) => error);
        if (!(result instanceof Error)) expect(JSON.parse(JSON.stringify(result))).toEqual(result);
      },
    ),
    { numRuns: 500 },
  );
});
