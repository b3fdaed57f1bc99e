import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { peakMemoryMb, stop } from '../../child.ts';
import { Conversation } from '../../conversation.ts';
import { ours } from '../../trials/filesystem/filesystem-workspace.ts';
import type { Growth } from '../growth.ts';
import { middle } from '../middle.ts';

const needle = 'findMeHere';

export const filesOfTree: Growth = {
  name: 'files',
  about:
    'A tree of small files, 1,000 in a directory: finding names, a text in the contents, the same by `rg`, a page of one large directory, and the peak memory of the server.',
  unit: 'files',
  sizes: [1_000, 10_000, 100_000],
  large: [1_000_000],
  columns: ['find ms', 'search ms', 'rg ms', 'page of a directory ms', 'peak MB'],
  async measure(size) {
    const root = mkdtempSync(join(tmpdir(), 'growth-files-'));
    for (let file = 0; file < size; file++) {
      const directory = join(root, `d${Math.floor(file / 1_000)}`);
      if (file % 1_000 === 0) mkdirSync(directory);
      const isFound = file % 10_000 === 500;
      writeFileSync(
        join(directory, `module-${file}.ts`),
        `export const value = ${isFound ? needle : file};\n`,
      );
    }
    const flat = mkdtempSync(join(tmpdir(), 'growth-names-'));
    for (let file = 0; file < size; file++) writeFileSync(join(flat, `${file}.txt`), '');
    const server = new Conversation({ args: [ours.args[0]!] }, [root, flat]);
    await server.call('search_files', { path: root, pattern: '**/nothing' });
    const find = await middle(3, () =>
      server.call('search_files', { path: root, pattern: '**/module-999.ts' }),
    );
    const search = await middle(3, () => server.call('search_text', { path: root, text: needle }));
    const rg = await middle(3, async () => void execFileSync(rgPath, ['-nF', needle, root]));
    const page = await middle(3, () => server.call('list_directory', { path: flat }));
    const memory = peakMemoryMb(server.process);
    await stop(server.process);
    for (const each of [root, flat]) rmSync(each, { recursive: true });
    return [find, search, rg, page, memory];
  },
};
