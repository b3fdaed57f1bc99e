import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'smol-toml';
import { withEntry, withoutEntry } from './edit-servers.ts';

/** Lines of a table of TOML that are easy to take for something else. */
const body = fc.constantFrom(
  'command = "x" # [mcp_servers.new]',
  'when = 1979-05-27T07:32:00Z',
  'big = 9223372036854775807',
  'env = { "A.B" = "}", c.d = 1 }',
  'args = [ # ]\n  "[mcp_servers.new]",\n\n\n  "]",\n]',
  'text = """\n\n\n[mcp_servers.new]\ncommand = "\\""""',
  "path = 'C:\\'",
  '# a comment',
  '',
);

const headers = [
  '[mcp_servers.a]',
  '[ mcp_servers . "a" . env ] # [x]',
  '[mcp_servers."new.b"]',
  '[[rules.list]]',
  '["#".\'[new]\']',
  '[tui]',
];

/** Documents of TOML, whose tables follow each other with and without empty lines. */
const documents = fc
  .tuple(
    fc.constantFrom('', '\uFEFF'),
    fc.constantFrom('', 'model = "o3"\n', '\n# first\n\n\nmodel = "o3"\n'),
    fc
      .shuffledSubarray(headers)
      .chain((chosen) =>
        fc.tuple(
          ...chosen.map((header) =>
            fc.uniqueArray(body, { maxLength: 4 }).map((lines) => [header, ...lines].join('\n')),
          ),
        ),
      ),
    fc.constantFrom('', '\n', '\n\n\n', '\n# the end'),
    fc.constantFrom('\n', '\r\n'),
  )
  .map(
    ([mark, start, tables, end, lineBreak]) =>
      mark + (start + tables.join('\n') + end).replaceAll('\n', lineBreak),
  )
  .filter(isToml);

const entry = { command: 'x "y"', args: ['[z]', 'a\nb'], env: { 'A.B': '#' }, startup_timeout_sec: 1.5 };
const place = { file: 'config.toml', language: 'toml', path: ['mcp_servers', 'new'] } as const;

test('a table that was added and removed leaves each byte of a file of TOML', () => {
  fc.assert(
    fc.property(documents, (text) => {
      const added = withEntry(text, place, entry);
      expect(added.startsWith(text)).toBe(true);
      expect(withoutEntry(added, place)).toBe(text);
    }),
  );
});

test('the removal of a table keeps the other lines and the comments of a file of TOML', () => {
  fc.assert(
    fc.property(documents, (text) => {
      if (!/^\[mcp_servers\.a\]/m.test(text)) return;
      const rest = withoutEntry(text, { ...place, path: ['mcp_servers', 'a'] });
      expect(commentsOf(rest)).toEqual(commentsOf(text));
      expect(linesOf(text)).toEqual(expect.arrayContaining(linesOf(rest)));
      expect(rest.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'));
    }),
  );
});

function linesOf(text: string): string[] {
  return text.match(/[^\uFEFF\r\n]+/g) ?? [];
}

function commentsOf(text: string): string[] {
  return linesOf(text).filter((line) => line.startsWith('# '));
}

function isToml(text: string): boolean {
  try {
    parse(text, { integersAsBigInt: true });
    return true;
  } catch {
    return false;
  }
}
