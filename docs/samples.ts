import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// The sample of each server that its page shows: a directory to work in, and example calls of its tools.

export interface Sample {
  /** Puts the content into a directory, and returns the arguments of the server. */
  readonly prepare: (directory: string, programs: string) => readonly string[];
  /** Arguments for each tool that has an example; tools without one are described only. */
  readonly calls: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** When everything in the samples was made. */
export const sampleDate = new Date('2026-03-01T09:00:00Z');

const files = {
  'notes.txt': 'Milk\nBread\nApples\n',
  'src/greet.ts': 'export function greet(name: string): string {\n  return `Hello, ${name}`;\n}\n',
  'src/main.ts': "import { greet } from './greet.ts';\n\nconsole.log(greet('Ada'));\n",
};

/** The smallest PNG: one black pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);

function putFiles(directory: string): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(directory, path, '..'), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
}

export const samples: Readonly<Record<string, Sample>> = {
  filesystem: {
    prepare(directory) {
      putFiles(directory);
      writeFileSync(join(directory, 'pixel.png'), pixel);
      return [directory];
    },
    calls: {
      read_text_file: { path: 'notes.txt', head: 2 },
      read_file: { path: 'notes.txt' },
      read_multiple_files: { path: 'src', glob: '*.ts', head: 1 },
      read_media_file: { path: 'pixel.png' },
      list_directory: { path: '.' },
      list_directory_with_sizes: { path: '.', recursive: true },
      directory_tree: {},
      search_files: { pattern: '*.ts' },
      search_text: { text: 'greet', glob: '*.ts' },
      get_file_info: { path: 'notes.txt', hash: true },
      list_allowed_directories: {},
      edit_file: { path: 'notes.txt', edits: [{ oldText: 'Bread', newText: 'Rye bread' }], dryRun: true },
      write_file: { path: 'todo.txt', content: 'Write the report\n' },
      create_directory: { path: 'drafts/2026' },
      copy_file: { source: 'todo.txt', destination: 'drafts/todo.txt' },
      move_file: { source: 'drafts/todo.txt', destination: 'drafts/2026/todo.txt' },
      delete_file: { path: 'drafts', recursive: true, dryRun: true },
    },
  },
  git: {
    prepare(directory) {
      putFiles(directory);
      const git = gitIn(directory);
      git('init', '--quiet', '--initial-branch=main');
      git('add', 'notes.txt');
      git('commit', '--quiet', '--message=Add the notes');
      git('add', 'src');
      git('commit', '--quiet', '--message=Greet by name');
      git('branch', 'draft');
      writeFileSync(join(directory, 'notes.txt'), 'Milk\nRye bread\nApples\n');
      git('add', 'notes.txt');
      writeFileSync(join(directory, 'src/main.ts'), files['src/main.ts'].replace('Ada', 'Grace'));
      return ['--repository', directory];
    },
    calls: {
      git_status: {},
      git_diff_unstaged: {},
      git_diff_staged: {},
      git_diff: { target: 'HEAD', paths: ['notes.txt'] },
      git_log: { max_count: 2 },
      git_show: { revision: 'HEAD~1' },
      git_branch: { branch_type: 'local' },
      git_blame: { path: 'src/greet.ts' },
      git_grep: { pattern: 'greet' },
      git_read_file: { path: 'notes.txt', revision: 'HEAD' },
      git_add: { files: ['src/main.ts'] },
      git_create_branch: { branch_name: 'rye' },
    },
  },
  sqlite: {
    prepare(directory, programs) {
      const database = join(directory, 'bookshop.db');
      copyFileSync(join(programs, 'sqlite/dist/sample.db'), database);
      return ['--allow-write', '--import', directory, '--export', directory, database];
    },
    calls: {
      query: { sql: 'SELECT title, price FROM books ORDER BY price DESC LIMIT 3' },
      explain: { sql: 'SELECT * FROM books WHERE title = ?', params: ['Emma'] },
      list_tables: {},
      describe_table: { table: 'books' },
      search: { text: 'sea', table: 'reviews' },
      append_insight: { insight: 'Three titles make half of the sales.' },
      write: { sql: 'UPDATE books SET price = price + 1 WHERE id = 1', dry_run: true },
      export: { sql: 'SELECT id, title FROM books LIMIT 2', path: 'books.csv', format: 'csv' },
    },
  },
  weather: {
    prepare: (directory) => ['--demo', '--data', directory],
    calls: {
      search_place: { name: 'Springfield' },
      current: { place: 'Berlin' },
      forecast: { place: 'Berlin', days: 2 },
      history: { place: 'Berlin', start: day(-8), end: day(-7) },
      alerts: { place: 'Springfield, Illinois' },
      air_quality: { place: 'Berlin' },
      get_forecast: { latitude: 52.52, longitude: 13.41, days: 1 },
      get_alerts: { state: 'IL' },
      save_place: { name: 'home', place: 'Berlin' },
      remove_place: { name: 'home' },
    },
  },
  run: {
    prepare(directory) {
      const file = join(directory, '../commands.json');
      const count = { description: 'Counts the lines of the notes.', argv: ['wc', '-l', 'notes.txt'] };
      putFiles(directory);
      writeFileSync(
        file,
        JSON.stringify({ writable: [directory], cwd: directory, sandbox: 'off', commands: { count } }),
      );
      return [file];
    },
    calls: { count: {}, read_output: { cursor: '1' } },
  },
};

/** Runs git in a directory with an author and a date, without the configuration of this machine. */
function gitIn(directory: string): (...args: string[]) => void {
  const when = sampleDate.toISOString();
  const author = { NAME: 'Ada Example', EMAIL: 'ada@example.com', DATE: when };
  const identity = Object.entries(author).flatMap(([key, value]) => [
    [`GIT_AUTHOR_${key}`, value],
    [`GIT_COMMITTER_${key}`, value],
  ]);
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  return (...args) => {
    execFileSync('git', args, { cwd: directory, env: { ...env, ...Object.fromEntries(identity) } });
  };
}

/** A day, counted from today. The demo data of the weather server move with the date. */
function day(offset: number): string {
  return new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
}
