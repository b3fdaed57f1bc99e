import * as outline from '@mcp/outline';
import type { Client } from '@mcp/protocol/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Workspace } from '../../workspace.ts';

const parser = `import a from 'a';

export class Parser {
  private position = 0;

  next(): string {
    // find me
    return this.text[this.position++];
  }

  peek() { return 1; }
}

// find me
export function parse(text: string) {
  const helper = () => {
    return text; // find me
  };
  return helper();
}
`;

let workspace: Workspace;
let client: Client;

beforeEach(async () => {
  workspace = new Workspace({
    'src/parser.ts': parser,
    'src/broken.py': 'def a(:\n  pass\n',
    'src/binary.go': Uint8Array.of(0, 1, 2),
    'README.md': '# Title\n\nfind me\n\n## Part\n\nfind me\n',
    'package.json': '{ "name": "x", "scripts": { "find me": "tsc" } }\n',
    'notes.txt': 'find me\n',
    'node_modules/a/a.ts': 'const find = "find me";\n',
  });
  client = await workspace.connect({ optional: { outline: () => outline } });
});

afterEach(async () => {
  await client.close();
  workspace[Symbol.dispose]();
});

describe('outline', () => {
  test('of a file', async () => {
    expect(await workspace.say(client, 'outline', { path: 'src/parser.ts' })).toEqual([
      `3-12 class Parser
  4 field position
  6-9 method next
  11 method peek
15-20 function parse
  16-18 function helper
6 symbols`,
    ]);
  });

  test('of a file and of a directory, as structured content', async () => {
    await using exact = await workspace.connect({ structured: true, optional: { outline: () => outline } });
    const { structuredContent } = await exact.callTool('outline', { path: 'src/parser.ts', depth: 1 });
    const symbols = [
      { name: 'Parser', kind: 'class', startLine: 3, endLine: 12, depth: 0 },
      { name: 'parse', kind: 'function', startLine: 15, endLine: 20, depth: 0 },
    ];
    expect(structuredContent).toEqual({ files: [{ path: 'src/parser.ts', symbols, notes: [] }] });
    const all = await exact.callTool('outline', { path: 'src', glob: 'parser.ts' });
    expect(all.structuredContent).toEqual(structuredContent);
  });

  test('of a part of a file', async () => {
    expect(await workspace.say(client, 'outline', { path: 'src/parser.ts', depth: 1 })).toEqual([
      '3-12 class Parser\n15-20 function parse\n6 symbols',
    ]);
    expect(await workspace.say(client, 'outline', { path: 'src/parser.ts', offset: 11 })).toEqual([
      '  11 method peek\n15-20 function parse\n  16-18 function helper\n6 symbols',
    ]);
  });

  test('of a directory, without what is ignored', async () => {
    expect(await workspace.say(client, 'outline')).toEqual([
      `README.md
1-7 h1 Title

src/binary.go (Not text: a NUL byte at offset 0: "src/binary.go")

src/broken.py (syntax errors: symbols may be missing)
1-2 function a

src/parser.ts
3-12 class Parser
15-20 function parse

4 symbols in 4 files`,
    ]);
    expect(await workspace.say(client, 'outline', { glob: '*.{json,md}', depth: 2 })).toEqual([
      `README.md
1-7 h1 Title
  5-7 h2 Part

package.json
1 key name
1 key scripts
  1 key find me

5 symbols in 2 files`,
    ]);
  });

  test('of a long file and of a large directory, in pages of 40,000 characters', async () => {
    const long = Array.from(
      { length: 3000 },
      (_, index) => `function f${String(index).padStart(6, '0')}() {}\n`,
    );
    workspace.put('long/a.js', long.join(''));
    const seen: string[] = [];
    let offset: number | undefined = 1;
    while (offset !== undefined) {
      const [page = '']: string[] = await workspace.say(client, 'outline', { path: 'long/a.js', offset });
      expect(page.length).toBeLessThan(40_200);
      seen.push(...page.split('\n').slice(0, -1));
      const [, next] = /; there is more: continue with offset (\d+), or pass depth$/.exec(page) ?? [];
      offset = next === undefined ? undefined : Number(next);
    }
    expect(seen).toEqual(long.map((line, index) => `${index + 1} function ${line.slice(9, 16)}`));

    for (let index = 0; index < 5; index++) workspace.put(`many/${index}.js`, long.slice(0, 900).join(''));
    const sums: string[] = [];
    let skip: number | undefined = 0;
    while (skip !== undefined) {
      const [page = '']: string[] = await workspace.say(client, 'outline', { path: 'many', skip });
      expect(page.length).toBeLessThan(40_200);
      const sum: string = page.split('\n').at(-1)!;
      sums.push(sum);
      const [, next] = /; continue with skip (\d+)$/.exec(sum) ?? [];
      skip = next === undefined ? undefined : Number(next);
    }
    expect(sums).toEqual([
      '1800 symbols in files 1 to 2 of 5; continue with skip 2',
      '1800 symbols in files 3 to 4 of 5; continue with skip 4',
      '900 symbols in files 5 to 5 of 5',
    ]);
  });

  test('errors say what to do', async () => {
    const cases: readonly (readonly [args: Record<string, unknown>, message: string])[] = [
      [{ path: 'notes.txt' }, 'No outline of "notes.txt": not a file of a language with outlines'],
      [
        { path: 'src/parser.ts', glob: '*' },
        'glob and skip are for a directory, which path is not; leave them out',
      ],
      [{ path: 'src', offset: 3 }, 'offset is for a file, and path is a directory; leave it out'],
      [{ path: 'src/binary.go' }, 'Not text: a NUL byte at offset 0: "src/binary.go"'],
    ];
    for (const [args, message] of cases) {
      expect(await workspace.say(client, 'outline', args)).toEqual(['ERROR', message]);
    }
    expect(await workspace.say(client, 'outline', { path: 'src', glob: '*.rb' })).toEqual([
      'No source file among 0 files',
    ]);
    expect((await workspace.say(client, 'outline', { path: 'src/parsr.ts' }))[1]).toContain('parser.ts');
  });
});

describe('search_text', () => {
  test('names the symbols around matches', async () => {
    expect(await workspace.say(client, 'search_text', { text: 'find me' })).toEqual([
      `README.md
@ h1 Title (1-7)
3	find me
@ h1 Title > h2 Part (5-7)
7	find me

notes.txt
1	find me

package.json
@ key scripts > key find me (1-1)
1	{ "name": "x", "scripts": { "find me": "tsc" } }

src/parser.ts
@ class Parser > method next (6-9)
7	    // find me
@ outside
14	// find me
@ function parse > function helper (16-18)
17	    return text; // find me

7 lines in 4 files`,
    ]);
  });

  test('leaves them out', async () => {
    const [text] = await workspace.say(client, 'search_text', { text: 'find me', symbols: false });
    expect(text).not.toContain('@');
    const [count] = await workspace.say(client, 'search_text', { text: 'find me', filesOnly: true });
    expect(count).toBe('README.md\nnotes.txt\npackage.json\nsrc/parser.ts\n4 files');
  });

  test('follows a change of the file', async () => {
    await workspace.say(client, 'search_text', { text: 'find me', path: 'src/parser.ts' });
    workspace.put('src/parser.ts', 'function other() {\n  // find me\n}\n');
    expect(await workspace.say(client, 'search_text', { text: 'find me', path: 'src/parser.ts' })).toEqual([
      'src/parser.ts\n@ function other (1-3)\n2\t  // find me\n\n1 line in 1 file',
    ]);
  });
});
