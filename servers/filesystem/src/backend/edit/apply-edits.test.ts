import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits, type Edit } from './apply-edits.ts';

function edit(text: string, oldText: string, newText: string): string {
  return applyEdits(text, [{ oldText, newText }]).text;
}

function problem(text: string, ...edits: Edit[]): string {
  try {
    applyEdits(text, edits);
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing went wrong';
}

describe('applyEdits', () => {
  it('F94, F95: an edit keeps the line endings of the file and accepts LF in oldText', () => {
    const crlf = 'one\r\ntwo\r\nthree\r\n';
    expect(edit(crlf, 'two', 'TWO')).toBe('one\r\nTWO\r\nthree\r\n');
    expect(edit(crlf, 'one\ntwo', 'ONE\nTWO')).toBe('ONE\r\nTWO\r\nthree\r\n');
    expect(edit(crlf, 'two', 'two\nand a half')).toBe('one\r\ntwo\r\nand a half\r\nthree\r\n');
    expect(edit('one\ntwo\n', 'one\r\ntwo', 'ONE\r\nTWO')).toBe('ONE\nTWO\n');
    expect(edit('one\rtwo\r', 'one\ntwo', 'one\nnew\ntwo')).toBe('one\rnew\rtwo\r');
    expect(edit('last', 'last', 'a\nb')).toBe('a\nb');
    expect(edit('a\r\nlast', 'last', 'b\nc')).toBe('a\r\nb\r\nc');
    // An oldText that contains \r is matched as it is.
    expect(edit(crlf, 'one\r\n', 'one\n')).toBe('one\ntwo\r\nthree\r\n');
  });

  it('F96: an edit of a text with mixed line endings changes no other byte', () => {
    const mixed = 'one\r\ntwo\nthree\rfour';
    expect(edit(mixed, 'two', 'TWO')).toBe('one\r\nTWO\nthree\rfour');
    expect(edit(mixed, 'four', '4')).toBe('one\r\ntwo\nthree\r4');
    expect(edit(mixed, 'one\ntwo\nthree\nfour', 'one\ntwo\nTHREE\nfour')).toBe('one\r\ntwo\nTHREE\rfour');
    expect(edit('a\nb\r\na\r\nb', 'a\nb', 'x\ny')).toBe('x\ny\r\na\r\nb');
  });

  it('F99: an edit whose oldText occurs several times or not at all is refused', () => {
    expect(problem('same\nsame\n', { oldText: 'same', newText: 'X' })).toBe(
      'oldText occurs 2 times at lines 1, 2: add lines around it until it is unique',
    );
    expect(problem('aaa', { oldText: 'aa', newText: 'X' })).toBe(
      'oldText occurs 2 times at line 1: add lines around it until it is unique',
    );
    expect(problem('x\n'.repeat(50), { oldText: 'x', newText: 'X' })).toMatch(
      /^oldText occurs 10 times or more at lines 1, 2, /,
    );
    expect(problem('a', { oldText: '', newText: 'X' })).toBe('oldText is empty');
    expect(problem('a', { oldText: '\ud83d', newText: 'X' })).toBe(
      'The edit contains a lone surrogate (invalid Unicode)',
    );
    expect(problem('a')).toBe('No edits');
    expect(problem('', { oldText: 'a', newText: 'b' })).toBe('oldText does not occur');
  });

  it('the error of an edit that does not match names the most similar lines', () => {
    const text = 'import a\nfunction greet(name) {\n  return `Hello ${name}`;\n}\n';
    expect(problem(text, { oldText: 'function greets(name, x) {\n  return 1', newText: '' })).toBe(
      'oldText does not occur; the most similar lines are:\n  line 2: function greet(name) {',
    );
  });

  it('F99: an edit whose oldText equals newText is reported as unchanged', () => {
    expect(applyEdits('a\nb', [{ oldText: 'b', newText: 'b' }])).toEqual({
      text: 'a\nb',
      applied: [{ line: 2, match: 'unchanged', occurrences: 1 }],
    });
    expect(problem('a', { oldText: 'x', newText: 'x' })).toMatch(/^oldText does not occur/);
  });

  it('F100: newText is inserted literally, including dollar patterns', () => {
    expect(edit('a.c abc', 'a.c', "$& $$ $' $` $1 \\n")).toBe("$& $$ $' $` $1 \\n abc");
  });

  it('F101: several edits are applied in order, all or none', () => {
    expect(
      applyEdits('a b c', [
        { oldText: 'a', newText: 'x\ny' },
        { oldText: 'y b', newText: 'z' },
      ]),
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
    expect(problem('a b c', ...edits)).toBe('Edit 3 of 3: oldText does not occur');
  });

  it('an edit that differs in white space applies where it is unique and is reported as tolerant', () => {
    const text = 'class A {\n\tfoo( x )  {\n\t\treturn x;\n\t}\n}\n';
    expect(
      applyEdits(text, [
        { oldText: '    foo( x ) {\n        return x;', newText: '    bar() {\n        return 1;' },
      ]),
    ).toEqual({
      text: 'class A {\n\tbar() {\n\t\treturn 1;\n\t}\n}\n',
      applied: [{ line: 2, match: 'tolerant', occurrences: 1 }],
    });
    expect(edit('a  b\r\nc', 'a b\n', 'x\n')).toBe('x\r\nc');
    expect(edit('one\nlast  line', 'last line\n', 'end\n')).toBe('one\nend');
    expect(problem('a  b\na   b', { oldText: 'a b', newText: 'x' })).toBe(
      'oldText occurs 2 times, apart from white space, at lines 1, 2: add lines around it until it is unique',
    );
    expect(problem('a\n\n\nb', { oldText: '  \n \n', newText: 'x' })).toBe('oldText does not occur');
  });

  it('an edit changes no text outside its match', () => {
    const unit = fc.constantFrom('a', 'b', ' ', '\n', '\r\n', '\r', 'é', '😀', '$&');
    const part = fc.array(unit, { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(part, part, part, (before, replacement, after) => {
        // A unique marker across a line break, which the edit writes as LF and the file in each line ending.
        for (const lineEnding of ['\n', '\r\n', '\r']) {
          const text = `${before}<${lineEnding}>${after}`;
          const edited = edit(text, '<\n>', `<${replacement}>`);
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
