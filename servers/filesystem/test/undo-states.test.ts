import {
  chmodSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

interface Change {
  readonly tool: string;
  readonly args: Record<string, unknown>;
}

const directory = 'directory';
const files = { 'a.txt': 'one\ntwo\n', 'b.txt': 'one\n', 'sub/c.txt': 'three\none\n', 'empty.txt': '' };
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const at = (workspace: Workspace, ...path: string[]) => join(workspace.root, ...path);

/** Each state changes some of three text files that contain `one`. */
const states: Record<string, (workspace: Workspace) => void> = {
  plain: () => {},
  'UTF-16': (workspace) => workspace.put('b.txt', utf16('one\ntwo\n')),
  'UTF-16 with the new text': (workspace) => workspace.put('b.txt', utf16('uno\nx\ny\n')),
  'UTF-8 with the new text': (workspace) => workspace.put('sub/c.txt', 'uno\nx\ny\n'),
  'CRLF with the new text': (workspace) => workspace.put('b.txt', 'x\r\ny'),
  'CRLF and LF': (workspace) => workspace.put('a.txt', 'one\r\ntwo\none\ntwo\r\n'),
  CRLF: (workspace) => workspace.put('a.txt', 'one\r\ntwo\r\n'),
  'the new text apart from white space': (workspace) => workspace.put('b.txt', '  x\n  y\n'),
  'the new text twice': (workspace) => workspace.put('b.txt', 'x\ny\nx\ny\n'),
  'a byte order mark': (workspace) => workspace.put('a.txt', '\ufeffone\ntwo\n'),
  'bytes that are no text': (workspace) => workspace.put('b.txt', Buffer.from('uno\xff\n', 'latin1')),
  'two hard links, both in reach': (workspace) => linkSync(at(workspace, 'a.txt'), at(workspace, 'd.txt')),
  'a hard link elsewhere': (workspace) => linkSync(at(workspace, 'a.txt'), at(workspace, 'other')),
  'links to a file': (workspace) => {
    symlinkSync('a.txt', at(workspace, 'link.txt'));
    symlinkSync('missing.txt', at(workspace, 'new'));
    symlinkSync('sub', at(workspace, 'directory'));
  },
  'modes of their own': (workspace) => {
    chmodSync(at(workspace, 'a.txt'), 0o440);
    chmodSync(at(workspace, 'b.txt'), 0o751);
    chmodSync(at(workspace, 'sub'), 0o750);
  },
  'targets that exist': (workspace) => {
    workspace.put('to/a.txt', 'kept');
    workspace.put('to/sub/x', 'kept');
  },
  'what .gitignore excludes': (workspace) => {
    workspace.put('.gitignore', 'b.txt\n');
    workspace.put('node_modules/m.txt', 'one uno');
    workspace.put('.git/g.txt', 'one uno');
  },
};

const texts = [
  ['one', 'uno'],
  ['one\ntwo', 'x\ny'],
  ['one\n', 'x\ny\n'],
  ['two\n', 'uno'],
  ['o', 'n'],
] as const;
const edits: Change[] = texts.flatMap(([oldText, newText]) =>
  [{}, { count: 0 }].flatMap((count) =>
    [{ glob: '*.txt' }, { paths: ['a.txt', 'b.txt', 'sub/c.txt'] }, { path: 'a.txt' }].map((where) => ({
      tool: 'edit_file',
      args: { ...where, edits: [{ oldText, newText, ...count }], maxDiff: 0 },
    })),
  ),
);
const others: Change[] = [
  { tool: 'write_file', args: { path: 'new', content: 'x' } },
  { tool: 'write_file', args: { path: 'new', content: 'x', append: true } },
  { tool: 'write_file', args: { path: 'p/q/new', content: 'x', parents: true, executable: true } },
  { tool: 'write_file', args: { path: 'directory/new', content: 'x' } },
  { tool: 'write_file', args: { path: 'a.txt', executable: true } },
  { tool: 'write_file', args: { path: 'b.txt', executable: false } },
  { tool: 'create_directory', args: { path: 'x/y' } },
  { tool: 'create_directory', args: { path: 'directory/y' } },
  ...['move_file', 'copy_file'].flatMap((tool) => [
    { tool, args: { source: 'a.txt', destination: 'sub/a.txt' } },
    { tool, args: { source: 'link.txt', destination: 'sub/l.txt' } },
    { tool, args: { source: 'directory/c.txt', destination: 'c.txt' } },
    { tool, args: { source: 'sub', destination: 'to2' } },
    { tool, args: { source: 'b.txt', destination: 'p/q/b.txt', parents: true } },
    { tool, args: { sources: ['a.txt', 'sub'], destination: 'to', parents: true } },
    { tool, args: { sources: ['a.txt', 'b.txt'], destinations: ['1', 'p/2'], parents: true } },
    { tool, args: { glob: '*.txt', destination: 'to', parents: true } },
    { tool, args: { glob: '*.txt', destination: 'p/q', parents: true } },
    { tool, args: { source: 'sub', glob: '*', destination: 'p', parents: true } },
    { tool, args: { glob: '**', destination: 'p', parents: true } },
  ]),
  { tool: 'copy_file', args: { glob: '*.txt', destination: 'whole', join: true } },
];

interface Snapshot {
  /** The kind, the mode and the content of each path. */
  readonly entries: Record<string, string>;
  /** The first name of each file, by its names. */
  readonly links: Record<string, string>;
}

function snapshotOf(root: string): Snapshot {
  const entries: Record<string, string> = {};
  const links: Record<string, string> = {};
  const names = new Map<number, string>();
  for (const name of readdirSync(root, { recursive: true }).map(String).sort()) {
    const path = join(root, name);
    const stats = lstatSync(path);
    if (!names.has(stats.ino)) names.set(stats.ino, name);
    links[name] = names.get(stats.ino)!;
    entries[name] = stats.isSymbolicLink()
      ? `→ ${readlinkSync(path)}`
      : `${(stats.mode & 0o7777).toString(8)} ${stats.isFile() ? readFileSync(path, 'latin1') : directory}`;
  }
  return { entries, links };
}

/** The call that an answer names after `Undo:`. */
function undoOf({ tool, args }: Change, how: string, before: Snapshot, after: Snapshot): Change {
  const [done = ''] = how.split('; ');
  const { source, sources, destination, destinations } = args as Record<string, string & string[]>;
  if (done.startsWith('edit_file with oldText and newText exchanged')) {
    const [edit] = args['edits'] as { oldText: string; newText: string }[];
    return { tool, args: { ...args, edits: [{ ...edit, oldText: edit!.newText, newText: edit!.oldText }] } };
  }
  if (done === 'move_file with source and destination exchanged')
    return { tool, args: { ...args, source: destination, destination: source ?? '.' } };
  if (done === 'move_file with sources and destinations exchanged')
    return { tool, args: { ...args, sources: destinations, destinations: sources } };
  const isNew = (path: string) => !(path in before.entries) && !after.entries[path]!.endsWith(directory);
  const inDestination = sources?.map((path) => `${destination}/${path.split('/').at(-1)}`);
  if (done.startsWith('delete_file with the new paths as its argument paths')) {
    const paths = destinations ?? inDestination ?? Object.keys(after.entries).filter(isNew);
    return { tool: 'delete_file', args: { paths, recursive: done.endsWith(', recursive') } };
  }
  if (done === 'move_file with the new paths as sources, the old ones as destinations') {
    const old = sources ?? Object.keys(before.entries).filter((path) => !(path in after.entries));
    const moved = old.map((path) => `${destination}/${source ? path.slice(source.length + 1) : path}`);
    return { tool, args: { sources: inDestination ?? moved, destinations: old } };
  }
  const [, path = args['path'], recursive] = /^delete_file(?: (.*?))?(, recursive)?$/.exec(done) ?? [];
  return { tool: 'delete_file', args: { path, recursive: recursive !== undefined } };
}

// In the gate, each state tries every second edit, and the next state the others.
const isThorough = Number(process.env['GENERATED_TIMES'] ?? 1) > 1;
const cases = Object.entries(states).map(([state, prepare], index) => ({
  state,
  prepare,
  changes: [...edits.filter((_, each) => isThorough || (each + index) % 2 === 0), ...others],
}));

test.each(cases)(
  'with $state, each undo that an answer names restores bytes, modes and links',
  async ({ prepare, changes }) => {
    let undone = 0;
    using workspace = new Workspace();
    await using client = await workspace.connect();
    const say = async ({ tool, args }: Change) => (await workspace.say(client, tool, args)).join('\n');
    for (const change of changes) {
      for (const name of readdirSync(workspace.root)) rmSync(join(workspace.root, name), { recursive: true });
      for (const [name, content] of Object.entries(files)) workspace.put(name, content);
      prepare(workspace);
      const before = snapshotOf(workspace.root);
      const said = await say(change);
      const [, how] = /(?:^|\n)Undo: (.*)$/.exec(said) ?? [];
      if (how === undefined) continue;
      undone++;
      const undo = undoOf(change, how, before, snapshotOf(workspace.root));
      const what = `${JSON.stringify(change)}: ${said}\n${JSON.stringify(undo)}`;
      expect(await say(undo), what).not.toMatch(/^ERROR/);
      const { entries, links } = snapshotOf(workspace.root);
      const [, remain = '0'] = /(\d+) created director/.exec(how) ?? [];
      const extra = Object.keys(entries).filter((path) => !(path in before.entries));
      expect(extra, what).toHaveLength(Number(remain));
      for (const path of extra) {
        delete entries[path];
        delete links[path];
      }
      expect(entries, what).toEqual(before.entries);
      if (!how.includes('other hard links of the file keep the earlier content'))
        expect(links, what).toEqual(before.links);
    }
    expect(undone).toBeGreaterThan(20);
  },
);
