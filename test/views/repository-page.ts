import type { Client } from '@mcp/protocol/testing';
import { viewsCapability } from '@mcp/views';
// By its path, because it is no part of the package.
import { type ServerOptions, Workspace } from '../../servers/git/test/workspace.ts';
import { type OnCall, type ShowOptions, showTool } from './show-tool.ts';
import type { ShownView, ViewBrowser } from './shown-view.ts';

type Options = ShowOptions & {
  readonly tool?: string;
  readonly server?: ServerOptions;
  readonly onCall?: OnCall | undefined;
};

/** Shows a result of the git server, on the repository of a workspace. */
export async function showRepository(
  browser: ViewBrowser,
  workspace: Workspace,
  { tool = 'git_log', server, onCall, ...options }: Options,
): Promise<ShownView & AsyncDisposable & { readonly client: Client }> {
  const client = await workspace.connect({ ...server, extensions: viewsCapability });
  const shown = await showTool(browser, client, tool, options, onCall);
  return { ...shown, client };
}

const program = `import { readFile } from 'node:fs/promises';

/** A note with its tags. */
export interface Note {
  readonly title: string;
  readonly tags: readonly string[];
}

// Notes are read once, and kept.
const notes = new Map<string, Note>();

export async function readNote(path: string): Promise<Note> {
  const known = notes.get(path);
  if (known) return known;
  const [title = '', ...tags] = (await readFile(path, 'utf8')).split('\\n');
  const note = { title, tags };
  notes.set(path, note);
  return note;
}

export function titlesOf(all: Iterable<Note>): string[] {
  return [...all].map(({ title }) => title);
}
`;

const changed = program
  .replace('// Notes are read once, and kept.', '// The last 100 notes are kept.\nconst maxNotes = 100;')
  .replace("split('\\n')", 'split(/\\r?\\n/)')
  .replace(
    '  notes.set(path, note);',
    '  notes.set(path, note);\n  if (notes.size > maxNotes) notes.delete(notes.keys().next().value!);',
  )
  .replace('({ title }) => title)', '({ title }) => title).toSorted()');

/** A repository with branches, tags and changes, of several people, whose dates are fixed. */
export async function sampleRepository(): Promise<Workspace> {
  const workspace = new Workspace();
  const { git } = workspace;
  await git.init(['--template=']);
  const people = ['Ada Lovelace', 'Grace Hopper', 'Edsger Dijkstra'];
  let day = 0;
  const commit = async (message: string, files: Record<string, string>, args: readonly string[] = []) => {
    for (const [path, text] of Object.entries(files)) workspace.put(path, text);
    const [name, date] = [people[day % 3]!, new Date(Date.UTC(2026, 0, 5 + 9 * day, 9, 30)).toISOString()];
    day++;
    workspace.environment['GIT_AUTHOR_DATE'] = workspace.environment['GIT_COMMITTER_DATE'] = date;
    const author = `${name} <${name.split(' ')[0]!.toLowerCase()}@example.com>`;
    await workspace.git.add('--all');
    await workspace.output([
      'commit',
      '--quiet',
      '--allow-empty',
      `--author=${author}`,
      '-m',
      message,
      ...args,
    ]);
  };
  const merge = async (branch: string) => {
    await workspace.output(['merge', '--quiet', '--no-ff', '--no-commit', branch]);
    await commit(`Merge branch '${branch}'`, {});
  };
  await commit('Read notes from files', {
    'src/notes.ts': program.replace(/\nexport function titlesOf[^]*$/, ''),
  });
  await commit('List the titles of notes', { 'src/notes.ts': program });
  await workspace.output(['tag', '-a', '-m', 'first', 'v1.0.0']);
  await workspace.output(['checkout', '-q', '-b', 'search']);
  await commit('Add a search in titles', {
    'src/search.ts': 'export const search = (text: string) => text;\n',
  });
  await workspace.output(['checkout', '-q', 'main']);
  await commit('Say how notes are written', { 'README.md': '# Notes\n\nOne note per file.\n' });
  await workspace.output(['checkout', '-q', '-b', 'tags']);
  await commit('Sort tags', { 'src/tags.py': 'def tags(note):\n    return sorted(note.tags)  # by name\n' });
  await workspace.output(['checkout', '-q', 'search']);
  await commit('Ignore the case of letters', {
    'src/search.ts': 'export const search = (text: string) => text.toLowerCase();\n',
  });
  await workspace.output(['checkout', '-q', 'main']);
  await merge('search');
  await commit('Keep the order of notes', {
    'README.md': '# Notes\n\nOne note per file, in the order of their names.\n',
  });
  await merge('tags');
  await workspace.output(['tag', 'v1.1.0']);
  await workspace.output(['branch', '-q', 'release', 'main']);
  await commit('Keep at most 100 notes\n\nA program that reads many files had them all in memory.', {
    'src/notes.ts': changed,
    'src/search.ts': 'export const search = (text: string) => text.trim().toLowerCase();\n',
  });
  return workspace;
}

/** Changes in the work tree of the sample, of which some are staged. */
export async function changeSample(workspace: Workspace): Promise<void> {
  workspace.put(
    'README.md',
    '# Notes\n\nOne note per file, in the order of their names.\nTags are below the title.\n',
  );
  await workspace.output(['add', 'README.md']);
  workspace.put(
    'src/notes.ts',
    changed
      .replace('maxNotes = 100', 'maxNotes = 500')
      .replace('A note with its tags', 'A note, its title and its tags'),
  );
  workspace.put(
    'src/tags.py',
    'def tags(note):\n    """The tags of a note, sorted."""\n    return sorted(set(note.tags))  # by name\n',
  );
  workspace.put('todo.txt', 'Write tests\n');
}

export { Workspace };
