import { expect } from 'vitest';
import type { Task } from '../task.ts';
import { change, cyanheads, git, repositoryOf, type Step } from './world.ts';

const lines = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => `const ${name}${index} = ${index};\n`).join('');
const client = (timeout: string) => `${lines(40, 'a')}const timeout = ${timeout};\n${lines(40, 'b')}`;

const functions = (body: string) =>
  ['read', 'parse', 'write']
    .map((name) => `int ${name}(int x) {\n  return ${name === 'parse' ? body : 'x'};\n}\n\n`)
    .join('');

/** Thirty commits by two people, one a day. */
const history: readonly Step[] = Array.from({ length: 30 }, (_, index) => ({
  message: `Change ${index + 1}`,
  author: index % 3 === 0 ? 'Grace' : 'Ada',
  files: {
    'log.txt': `${index}\n`,
    ...(index === 0 && { 'client.ts': client('10') }),
    ...(index === 11 && { 'client.ts': client('30') }),
    ...(index === 20 && { 'client.ts': `// The client\n${client('30')}` }),
  },
}));

/** Tasks that find something in the history. */
export const historyTasks: readonly Task[] = [
  {
    id: 'G21',
    instruction: 'Which commit set the timeout to 30?',
    world: (world) => repositoryOf(world, history),
    ours: (session) => session.call('git_log', { changed_text: 'timeout = 30' }),
    peers: {
      [cyanheads]: (session, path) =>
        session.call('git_log', { path, filePath: 'client.ts', patch: true, maxCount: 50 }),
    },
    verify: (_, answer) => expect(answer).toContain('Change 12'),
  },
  {
    id: 'G22',
    instruction: 'What did Grace do since 20 January?',
    world: (world) => repositoryOf(world, history),
    ours: (session) => session.call('git_log', { author: 'Grace', start_timestamp: '2026-01-20' }),
    peers: {
      // git reads a date without a time as that day at the present time of day.
      [cyanheads]: (session, path) =>
        session.call('git_log', { path, author: 'Grace', since: '2026-01-20T00:00', oneline: true }),
    },
    verify(_, answer) {
      expect(answer).toMatch(/Change 28[^]*Change 25[^]*Change 22[^]*Change 19[^]*Change 16/);
      expect(answer).not.toContain('Change 29');
    },
  },
  {
    id: 'G23',
    instruction: 'What is changed and not committed?',
    world(world) {
      repositoryOf(world, history);
      change(world, { 'log.txt': 'changed\n', 'new.txt': 'new\n' });
    },
    ours: (session) => session.call('git_status'),
    peers: { [cyanheads]: (session, path) => session.call('git_status', { path }) },
    verify: (_, answer) => expect(answer).toMatch(/log\.txt[^]*new\.txt/),
  },
  {
    id: 'G24',
    instruction: 'What did client.ts look like in v1.0?',
    world(world) {
      repositoryOf(world, history);
      git(world, 'tag', 'v1.0', 'HEAD~25');
    },
    ours: (session) => session.call('git_read_file', { path: 'client.ts', revision: 'v1.0' }),
    peers: {
      [cyanheads]: (session, path) =>
        session.call('git_show', { path, object: 'v1.0', filePath: 'client.ts' }),
    },
    verify: (_, answer) => expect(answer).toContain('const timeout = 10;'),
  },
  {
    id: 'G25',
    instruction: 'Where is timeout used in v1.0?',
    world(world) {
      repositoryOf(world, history);
      git(world, 'tag', 'v1.0', 'HEAD~25');
    },
    ours: (session) => session.call('git_grep', { pattern: 'timeout', revision: 'v1.0' }),
    peers: { [cyanheads]: 'cannot search files' },
    verify: (_, answer) => expect(answer).toContain('client.ts:41\tconst timeout = 10;'),
  },
  {
    id: 'G26',
    instruction: 'I reset too far: find the commit that I lost, and bring it back',
    world(world) {
      repositoryOf(world, history);
      change(world, { 'lost.txt': 'lost\n' });
      git(world, 'add', '.');
      git(world, 'commit', '--quiet', '-m', 'Precious work');
      git(world, 'reset', '--quiet', '--hard', 'HEAD~2');
    },
    async ours(session) {
      const found = await session.call('git_log', { reflog: true });
      const [, revision] = /^HEAD@\{\d+\} (\w+) .*Precious work/m.exec(found) ?? [];
      await session.call('git_reset', { mode: 'hard', revision });
    },
    peers: {
      async [cyanheads](session, path) {
        const found = await session.call('git_reflog', { path });
        const [target] = /\b[0-9a-f]{40}\b(?=[^}]*Precious work)/.exec(found) ?? ['HEAD@{1}'];
        await session.call('git_reset', { path, mode: 'hard', target, confirmed: true });
      },
    },
    verify: (world) => expect(git(world, 'log', '-1', '--format=%s')).toBe('Precious work'),
  },
  {
    id: 'G27',
    instruction: 'Who wrote the function parse?',
    world: (world) =>
      repositoryOf(world, [
        { message: 'Start', files: { 'parse.c': functions('x') } },
        { message: 'Parse faster', author: 'Grace', files: { 'parse.c': functions('fast(x)') } },
        ...history,
      ]),
    ours: (session) => session.call('git_blame', { path: 'parse.c', function: 'parse' }),
    peers: { [cyanheads]: (session, path) => session.call('git_blame', { path, filePath: 'parse.c' }) },
    verify: (_, answer) => expect(answer).toContain('Grace'),
  },
  {
    id: 'G28',
    instruction: 'Who made the tenth last commit, when, and how much did it change?',
    world: (world) => repositoryOf(world, history),
    ours: (session) => session.call('git_show', { revision: 'HEAD~9', stat: true }),
    peers: {
      [cyanheads]: (session, path) => session.call('git_show', { path, object: 'HEAD~9', stat: true }),
    },
    verify: (_, answer) => expect(answer).toMatch(/Ada[^]*client\.ts/),
  },
  {
    id: 'G29',
    instruction: 'What has changed in numbers since v1.0?',
    world(world) {
      repositoryOf(world, history);
      git(world, 'tag', 'v1.0', 'HEAD~25');
    },
    ours: (session) => session.call('git_diff', { target: 'v1.0..HEAD', stat: true }),
    peers: {
      [cyanheads]: (session, path) =>
        session.call('git_diff', { path, source: 'v1.0', target: 'HEAD', stat: true }),
    },
    verify: (_, answer) => expect(answer).toMatch(/client\.ts[^]*log\.txt/),
  },
];
