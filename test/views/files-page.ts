import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { viewsCapability } from '@mcp/views';
// By their paths, because they are no part of the package.
import type { FilesystemOptions } from '../../servers/filesystem/src/server.ts';
import { Workspace } from '../../servers/filesystem/test/workspace.ts';
import { type OnCall, type ShowOptions, showTool } from './show-tool.ts';
import type { ShownView, ViewBrowser } from './shown-view.ts';

type Options = ShowOptions & {
  readonly tool?: string;
  readonly server?: Partial<FilesystemOptions>;
  readonly onCall?: OnCall | undefined;
};

/** Shows a result of the filesystem server, on the files of a workspace. */
export async function showFiles(
  browser: ViewBrowser,
  workspace: Workspace,
  { tool = 'directory_tree', server, onCall, ...options }: Options,
): Promise<ShownView & AsyncDisposable> {
  const client = await workspace.connect({ ...server, extensions: viewsCapability });
  return showTool(browser, client, tool, options, onCall);
}

export const program = `import { readFile } from 'node:fs/promises';

/** A note with its tags. */
export interface Note {
  readonly title: string;
  readonly tags: readonly string[];
}

export async function readNote(path: string): Promise<Note> {
  const [title = '', ...tags] = (await readFile(path, 'utf8')).split('\\n');
  return { title, tags };
}

// Sorted by title, without regard to case.
export function sorted(notes: readonly Note[]): Note[] {
  return notes.toSorted((a, b) => a.title.localeCompare(b.title));
}
`;

const sizes: Readonly<Record<string, number>> = {
  'README.md': 9_400,
  'package.json': 1_310,
  'package-lock.json': 41_800,
  'src/search/index.ts': 18_200,
  'src/search/tokens.ts': 9_100,
  'src/search/rank.ts': 12_700,
  'src/server.ts': 22_500,
  'src/store/files.ts': 15_900,
  'src/store/cache.ts': 6_400,
  'src/style.css': 7_700,
  'test/notes.test.ts': 13_300,
  'test/search.test.ts': 21_900,
  'test/fixtures/library.json': 64_000,
  'docs/guide.md': 17_600,
  'docs/logo.svg': 5_200,
  'docs/pictures/search.png': 58_300,
  'docs/pictures/notes.png': 31_400,
};

/** Files of a project, with the sizes that one has. */
export function sampleFiles(): Workspace {
  const files = Object.entries(sizes).map(([path, size]) => [path, 'x'.repeat(size - 1) + '\n']);
  const workspace = new Workspace({ ...Object.fromEntries(files), 'src/notes.ts': program });
  const changed = new Date(Date.UTC(2026, 0, 20, 9, 30));
  utimesSync(join(workspace.root, 'src/notes.ts'), changed, changed);
  return workspace;
}

export { Workspace };
