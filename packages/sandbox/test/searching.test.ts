import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Sandbox } from '../src/sandbox.ts';
import { Workspace } from './workspace.ts';

describe('search', () => {
  it('a search finds a match in a line that exceeds its buffer', async () => {
    using workspace = new Workspace();
    const sandbox = workspace.open();
    for (const at of [0, 1024 ** 2 - 3, 1024 ** 2, 2_500_000]) {
      workspace.put('a.txt', `first\n${'x'.repeat(at)}needle${'x'.repeat(3_000_000)}\nlast needle`);
      for (const options of [{}, { regex: true }]) {
        const { files, matches } = await sandbox.search('a.txt', 'needle', options);
        expect(matches).toBe(2);
        expect(files[0]!.lines.map(({ number }) => number)).toEqual([2, 3]);
        expect(files[0]!.lines[0]!.text).toMatch(/^…?x*needlex+…$/);
        expect(files[0]!.lines[0]!.text.length).toBeLessThan(410);
      }
    }
  });

  it('a search returns correct lines and numbers across the chunks of a long file', async () => {
    using workspace = new Workspace();
    const sandbox = workspace.open();
    const long = fc.array(
      fc.constantFrom('needle', 'hay', 'x'.repeat(60_000), 'é'.repeat(40_000), '', 'needle\r'),
      {
        minLength: 40,
        maxLength: 120,
      },
    );
    await fc.assert(
      fc.asyncProperty(long, fc.integer({ min: 0, max: 3 }), fc.boolean(), async (lines, context, regex) => {
        workspace.put('a.txt', lines.join('\n'));
        const { files } = await sandbox.search('a.txt', 'needle', { context, regex });
        const found = files.flatMap((file) => file.lines);
        const matching = lines.flatMap((line, index) => (line.startsWith('needle') ? [index + 1] : []));
        const shown = lines
          .map((_, index) => index + 1)
          .filter((number) => matching.some((match) => Math.abs(match - number) <= context))
          // The text after the last line break is a line only if it is not empty.
          .filter((number) => number < lines.length || lines.at(-1) !== '');
        expect(found.filter(({ matches }) => matches).map(({ number }) => number)).toEqual(matching);
        expect(found.map(({ number }) => number)).toEqual(shown);
        for (const { number, text } of found)
          expect(text.replace(/…$/, '')).toBe(
            lines[number - 1]!.replace(/\r$/, '').slice(0, text.replace(/…$/, '').length),
          );
      }),
      { numRuns: 25 },
    );
  });

  it('a search finds generated texts in the files that contain them', async () => {
    using workspace = new Workspace();
    const sandbox = workspace.open();
    const text = (minLength: number, maxLength: number) =>
      fc.string({ unit: fc.constantFrom('e', 'x', 'X', '~', 'é', '日'), minLength, maxLength });
    await fc.assert(
      fc.asyncProperty(
        fc.array(text(0, 12), { minLength: 8, maxLength: 8 }),
        text(1, 4),
        async (contents, needle) => {
          for (const [index, content] of contents.entries()) workspace.put(`${index}.txt`, content);
          const { files } = await sandbox.search('.', needle);
          const expected = contents.flatMap((content, index) =>
            content.includes(needle) ? [`${index}.txt`] : [],
          );
          expect(files.map(({ path }) => path)).toEqual(expected);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('a search reads each of several files whose names decode to the same text', async (context) => {
    context.skip(process.platform !== 'linux', 'Only Linux allows names that are not UTF-8');
    using workspace = new Workspace();
    const names = ['\xff', '\xfe', '\xef\xbf\xbd'].map((name) => Buffer.from(name, 'latin1'));
    const sandbox = workspace.open();
    for (const without of [undefined, ...names]) {
      for (const name of names) {
        const content = name === without ? 'hay' : `needle ${name.toString('latin1')}`;
        writeFileSync(Buffer.concat([Buffer.from(`${workspace.root}/`), name]), content);
      }
      for (const regex of [false, true]) {
        const { files } = await sandbox.search('.', 'needle', { regex });
        const found = files.map(({ lines }) => lines[0]!.text);
        const expected = names
          .filter((name) => name !== without)
          .map((name) => `needle ${name.toString('latin1')}`);
        expect(found.toSorted()).toEqual(expected.toSorted());
      }
    }
  });

  it('a search reports an unreadable file and continues', async (context) => {
    context.skip(!existsSync('/proc/self/mem'), 'The system has no file that can be opened but not read');
    const own = `/proc/${process.pid}`;
    const sandbox = Sandbox.open({ directories: [own], readOnly: true });
    const exclude = ['attr', 'fd', 'fdinfo', 'map_files', 'net', 'ns', 'task'];
    for (const regex of [false, true]) {
      const options = { pattern: '{mem,status}', exclude, regex };
      const { files, searched, unreadable } = await sandbox.search('.', 'Name:', options);
      expect(files.map(({ path }) => path)).toEqual(['status']);
      expect(searched).toBe(1);
      expect(unreadable.items).toEqual([{ path: 'mem', reason: 'Input or output error: "mem"' }]);
    }
  });

  it('a search reads a long file that begins as text to its end, also after a NUL byte', async () => {
    const line = `${'x'.repeat(99)}\n`;
    const far = 11_000;
    using workspace = new Workspace({
      'nul.txt': `${line.repeat(far)}\0\nneedle\n${line.repeat(far)}needle`,
      'mark.txt': `\ufeffneedle\n${line.repeat(far)}`,
      'wide.txt': Buffer.from(`\ufeffneedle\n${line.repeat(far)}`, 'utf16le'),
    });
    const sandbox = workspace.open();
    for (const options of [{}, { regex: true }]) {
      const { files, unreadable } = await sandbox.search('.', options.regex ? '^needle' : 'needle', options);
      expect(
        files.map(({ path, lines }) => [path, ...lines.map(({ number, text }) => `${number} ${text}`)]),
      ).toEqual([
        ['mark.txt', '1 needle'],
        ['nul.txt', `${far + 2} needle`, `${2 * far + 3} needle`],
      ]);
      expect(unreadable.items).toEqual([
        {
          path: 'wide.txt',
          reason: 'Too large to search as UTF-16 (more than 1048576 bytes): "wide.txt"',
        },
      ]);
    }
  });

  it('a search shows the match in a long line that is not UTF-8', async () => {
    using workspace = new Workspace();
    workspace.put('a.txt', Buffer.from(`${'\xe9'.repeat(900)} needle ${'z'.repeat(900)}\nlast`, 'latin1'));
    const sandbox = workspace.open();
    for (const options of [{}, { regex: true }])
      expect((await sandbox.search('.', 'needle', options)).files[0]!.lines[0]!.text).toMatch(/ needle z+…$/);
  });

  it('a regular expression is matched per line even if it disables the m flag', async (context) => {
    context.skip(!supportsModifiers(), 'The engine does not support regular expression modifiers');
    using workspace = new Workspace({ 'a.txt': 'first\nneedle\n' });
    const { files } = await workspace.open().search('.', '(?-m:^needle)', { regex: true });
    expect(files[0]?.lines.map(({ number }) => number)).toEqual([2]);
  });

  it('a search reads a file in /proc, whose size is 0, to its end', async (context) => {
    const path = `/proc/${process.pid}`;
    context.skip(!existsSync(`${path}/smaps`), 'The system has no /proc');
    const sandbox = Sandbox.open({ directories: [path], readOnly: true });
    // The match lies beyond the first read.
    expect(readFileSync(`${path}/smaps`, 'utf8').indexOf('[stack]')).toBeGreaterThan(8192);
    for (const regex of [false, true]) {
      const options = { regex, pattern: 'smaps', exclude: ['task'] };
      expect((await sandbox.search('.', 'stack', options)).matches).toBe(1);
      expect((await sandbox.search('smaps', 'stack', { regex })).matches).toBe(1);
    }
  });

  it('twenty concurrent searches return their own matches', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`f${index}`, `word${index}\n`]),
    );
    using workspace = new Workspace(files);
    const sandbox = workspace.open();
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        sandbox.search('.', `word${index}1`, { regex: index % 4 === 0 }),
      ),
    );
    for (const [index, { files: found }] of results.entries()) {
      const words = Object.keys(files).filter((name) => `word${name.slice(1)}`.includes(`word${index}1`));
      expect(found.map(({ path }) => path)).toEqual(words.toSorted());
    }
  });
});

function supportsModifiers(): boolean {
  try {
    return new RegExp('(?-m:a)').test('a');
  } catch {
    return false;
  }
}
