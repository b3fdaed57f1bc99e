import { expect, test } from 'vitest';
import { Workspace } from '../../test/workspace.ts';

test.each([{ regex: false }, { regex: true }, { ignoreCase: true }])(
  'countOnly counts the matching lines of each file, all files and long files included, with %o',
  async (how) => {
    using workspace = new Workspace({
      'sub/a.ts': 'word\nother\nword word\n',
      'sub/b.ts': 'word',
      'sub/long.ts': `word ${'x'.repeat(500)}\n`.repeat(5_000),
      'sub/none.ts': 'other',
      'c.ts': 'word',
    });
    await using client = await workspace.connect();
    const count = (args: object) =>
      workspace.say(client, 'search_text', { path: 'sub', text: 'word', countOnly: true, ...how, ...args });
    expect(await count({})).toEqual(['2 sub/a.ts\n1 sub/b.ts\n5000 sub/long.ts\n5003 lines in 3 files']);
    expect(await count({ limit: 1 })).toEqual([
      '2 sub/a.ts\nFiles 1 to 1 of 3; 5003 lines in all; continue with cursor "0:sub/a.ts"',
    ]);
    expect(await count({ text: 'absent' })).toEqual([
      'ignoreCase' in how
        ? 'No match in 4 files; set includeIgnored to search ignored files too'
        : 'No match in 4 files; set ignoreCase to ignore case; set includeIgnored to search ignored files too',
    ]);
  },
);
