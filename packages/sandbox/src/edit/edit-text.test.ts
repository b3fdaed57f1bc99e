import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Edit } from './edit.ts';
import { editText } from './edit-text.ts';
import { RegexReplacer } from './regex-replacer.ts';

const regex = new RegexReplacer();

async function edit(text: string, oldText: string, newText: string): Promise<string> {
  return (await editText(text, [{ oldText, newText }], regex)).text;
}

async function problem(text: string, ...edits: Edit[]): Promise<string> {
  try {
    await editText(text, edits, regex);
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing went wrong';
}

describe('editText', () => {
  it('an edit keeps the line endings of the file and accepts LF in oldText', async () => {
    const crlf = 'one\r\ntwo\r\nthree\r\n';
    expect(await edit(crlf, 'two', 'TWO')).toBe('one\r\nTWO\r\nthree\r\n');
    expect(await edit(crlf, 'one\ntwo', 'ONE\nTWO')).toBe('ONE\r\nTWO\r\nthree\r\n');
    expect(await edit(crlf, 'two', 'two\nand a half')).toBe('one\r\ntwo\r\nand a half\r\nthree\r\n');
    expect(await edit('one\ntwo\n', 'one\r\ntwo', 'ONE\r\nTWO')).toBe('ONE\nTWO\n');
    expect(await edit('one\rtwo\r', 'one\ntwo', 'one\nnew\ntwo')).toBe('one\rnew\rtwo\r');
    expect(await edit('last', 'last', 'a\nb')).toBe('a\nb');
    expect(await edit('a\r\nlast', 'last', 'b\nc')).toBe('a\r\nb\r\nc');
    // An oldText that contains \r is matched as it is.
    expect(await edit(crlf, 'one\r\n', 'one\n')).toBe('one\ntwo\r\nthree\r\n');
  });

  it('an edit of a text with mixed line endings changes no other byte', async () => {
    const mixed = 'one\r\ntwo\nthree\rfour';
    expect(await edit(mixed, 'two', 'TWO')).toBe('one\r\nTWO\nthree\rfour');
    expect(await edit(mixed, 'four', '4')).toBe('one\r\ntwo\nthree\r4');
    expect(await edit(mixed, 'one\ntwo\nthree\nfour', 'one\ntwo\nTHREE\nfour')).toBe(
      'one\r\ntwo\nTHREE\rfour',
    );
    expect(await edit('a\nb\r\na\r\nb', 'a\nb', 'x\ny')).toBe('x\ny\r\na\r\nb');
  });

  it('an edit whose oldText occurs several times or not at all is refused', async () => {
    expect(await problem('same\nsame\n', { oldText: 'same', newText: 'X' })).toBe(
      'oldText occurs 2 times at lines 1, 2; add the lines around it to oldText until it is unique',
    );
    expect(await problem('aaa', { oldText: 'aa', newText: 'X' })).toBe(
      'oldText occurs 2 times at line 1; add the lines around it to oldText until it is unique',
    );
    expect(await problem('x\n'.repeat(50), { oldText: 'x', newText: 'X' })).toMatch(
      /^oldText occurs 10 times or more at lines 1, 2, /,
    );
    expect(await problem('a', { oldText: '', newText: 'X' })).toBe(
      'oldText is empty; give the text to replace',
    );
    expect(await problem('a', { oldText: '\ud83d', newText: 'X' })).toBe(
      'oldText or newText contains a lone surrogate (invalid Unicode)',
    );
    expect(await problem('a')).toBe('edits is empty; give at least one edit');
    expect(await problem('', { oldText: 'a', newText: 'b' })).toBe('oldText does not occur');
  });

  it('the error of an edit that does not match names the most similar lines', async () => {
    const text = 'import a\nfunction greet(name) {\n  return `Hello ${name}`;\n}\n';
    expect(await problem(text, { oldText: 'function greets(name, x) {\n  return 1', newText: '' })).toBe(
      'oldText does not occur; the most similar lines are:\n  line 2: function greet(name) {',
    );
  });

  it('an edit whose oldText equals newText is reported as unchanged', async () => {
    expect(await editText('a\nb', [{ oldText: 'b', newText: 'b' }], regex)).toEqual({
      text: 'a\nb',
      applied: [{ line: 2, match: 'unchanged', occurrences: 1 }],
    });
    expect(await problem('a', { oldText: 'x', newText: 'x' })).toMatch(/^oldText does not occur/);
  });

  it('newText is inserted literally, including dollar patterns', async () => {
    expect(await edit('a.c abc', 'a.c', "$& $$ $' $` $1 \\n")).toBe("$& $$ $' $` $1 \\n abc");
  });

  it('several edits are applied in order, all or none', async () => {
    expect(
      await editText(
        'a b c',
        [
          { oldText: 'a', newText: 'x\ny' },
          { oldText: 'y b', newText: 'z' },
        ],
        regex,
      ),
    ).toEqual({
      text: 'x\nz c',
      applied: [
        { line: 1, match: 'exact', occurrences: 1 },
        { line: 2, match: 'exact', occurrences: 1 },
      ],
    });
    const edits = [
      { oldText: 'a', newText: 'x' },
      { oldText: 'b', newText: 'y' },
      { oldText: 'd', newText: 'z' },
    ];
    expect(await problem('a b c', ...edits)).toBe('Edit 3 of 3: oldText does not occur');
    const cause = expect.objectContaining({ message: 'oldText does not occur' });
    await expect(editText('a b c', edits, regex)).rejects.toThrow(expect.objectContaining({ cause }));
  });

  it('an edit that differs in white space applies where it is unique and is reported as tolerant', async () => {
    const text = 'class A {\n\tfoo( x )  {\n\t\treturn x;\n\t}\n}\n';
    expect(
      await editText(
        text,
        [{ oldText: '    foo( x ) {\n        return x;', newText: '    bar() {\n        return 1;' }],
        regex,
      ),
    ).toEqual({
      text: 'class A {\n\tbar() {\n\t\treturn 1;\n\t}\n}\n',
      applied: [{ line: 2, match: 'tolerant', occurrences: 1 }],
    });
    expect(await edit('a  b\r\nc', 'a b\n', 'x\n')).toBe('x\r\nc');
    expect(await edit('one\nlast  line', 'last line\n', 'end\n')).toBe('one\nend');
    expect(await problem('a  b\na   b', { oldText: 'a b', newText: 'x' })).toBe(
      'oldText occurs 2 times, apart from white space, at lines 1, 2; add the lines around it to oldText until it is unique',
    );
    expect(await problem('a\n\n\nb', { oldText: '  \n \n', newText: 'x' })).toBe('oldText does not occur');
  });

  it('partial edits leave out what does not occur exactly, and refuse a wrong number', async () => {
    const edits = [
      { oldText: 'a b', newText: 'x' },
      { oldText: 'missing', newText: 'y' },
      { oldText: 'c', newText: 'z' },
    ];
    const { text, applied } = await editText('a  b\nc', edits, regex, { isPartial: true });
    expect(text).toBe('a  b\nz');
    expect(applied).toEqual([undefined, undefined, { line: 2, match: 'exact', occurrences: 1 }]);
    await expect(editText('c\nc', edits, regex, { isPartial: true })).rejects.toThrow(
      'Edit 3 of 3: oldText occurs 2 times at lines 1, 2',
    );
  });

  it('an edit changes no text outside its match', async () => {
    const unit = fc.constantFrom('a', 'b', ' ', '\n', '\r\n', '\r', 'é', '😀', '$&');
    const part = fc.array(unit, { maxLength: 12 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(part, part, part, async (before, replacement, after) => {
        // The text has one line break between `<` and `>`. In the edit, this line break is always LF; in the
        // text, it is LF, CRLF or CR.
        for (const lineEnding of ['\n', '\r\n', '\r']) {
          const text = `${before}<${lineEnding}>${after}`;
          const edited = await edit(text, '<\n>', `<${replacement}>`);
          expect(edited.startsWith(`${before}<`)).toBe(true);
          expect(edited.endsWith(`>${after}`)).toBe(true);
          expect(unified(edited)).toBe(unified(`${before}<`) + unified(replacement) + unified(`>${after}`));
        }
      }),
      { numRuns: 2000 },
    );
  });
});

function unified(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
