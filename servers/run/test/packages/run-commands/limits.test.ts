import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { callTool, linesOf, sh, Workspace } from '../../workspace.ts';

test('as many commands run at the same time as allowed, others wait, and too many are refused', async () => {
  using workspace = new Workspace(
    { waits: sh('echo x >> running; while [ ! -e go ]; do sleep 0.02; done') },
    { maxRunning: 2 },
  );
  const fifo = workspace.fifo('fifo');
  void fifo;
  await using client = await workspace.connect();
  const messages: string[] = [];
  const waiting = Promise.withResolvers<void>();
  const onProgress = (_: number, __: number | undefined, message = '') => {
    messages.push(message);
    if (message.startsWith('Waiting')) waiting.resolve();
  };
  const calls = Array.from({ length: 18 }, () => callTool(client, 'waits', {}, { onProgress }));
  await waiting.promise;
  expect(messages).toContain('Waiting for waits, waits');
  expect(await callTool(client, 'waits')).toEqual({
    text: '2 commands are running (waits, waits) and 16 are waiting; call again when one has ended',
    isError: true,
  });
  workspace.put('go', '');
  const answers = await Promise.all(calls);
  expect(answers.filter(({ text }) => text.startsWith('Done'))).toHaveLength(18);
  expect(workspace.read('running')).toBe('x\n'.repeat(18));
});

test('a call that waits can be cancelled, and never runs', async () => {
  using workspace = new Workspace(
    { waits: sh('while [ ! -e go ]; do sleep 0.02; done'), never: sh('touch ran') },
    { maxRunning: 1 },
  );
  await using client = await workspace.connect();
  const first = callTool(client, 'waits');
  const cancelled = new AbortController();
  const second = callTool(
    client,
    'never',
    {},
    { signal: cancelled.signal, onProgress: () => cancelled.abort() },
  );
  await expect(second).rejects.toThrow();
  workspace.put('go', '');
  expect((await first).text).toMatch(/^Done/);
  expect(() => workspace.read('ran')).toThrow();
});

test('progress says how many lines there are and how long it has run', async () => {
  using workspace = new Workspace({ slow: sh('echo a; echo b; while [ ! -e go ]; do sleep 0.02; done') });
  await using client = await workspace.connect();
  const onProgress = (_: number, __: number | undefined, message = '') => {
    if (/^2 lines, \d s$/.test(message)) workspace.put('go', '');
  };
  expect(linesOf(await callTool(client, 'slow', {}, { onProgress }))).toEqual(['a', 'b']);
});

test('only the basic variables and those of the configuration are passed on', async () => {
  process.env['SECRET_OF_TEST'] = 'secret';
  process.env['NAMED_OF_TEST'] = 'named';
  try {
    using workspace = new Workspace(
      { env: { description: '-', argv: ['env'], env: { B: '2', TERM: 'x' } } },
      { env: { NAMED_OF_TEST: true, A: '1', B: '1', UNSET_OF_TEST: true } },
    );
    await using client = await workspace.connect();
    const names = Object.fromEntries(
      linesOf(await callTool(client, 'env')).map((line) => line.split('=', 2)),
    );
    expect(names).toMatchObject({ NAMED_OF_TEST: 'named', A: '1', B: '2', TERM: 'x' });
    expect(names['TMPDIR']).toMatch(/mcp-run-/);
    for (const absent of ['SECRET_OF_TEST', 'UNSET_OF_TEST', 'NODE_COMPILE_CACHE'])
      expect(names).not.toHaveProperty(absent);
  } finally {
    delete process.env['SECRET_OF_TEST'];
    delete process.env['NAMED_OF_TEST'];
  }
});

test('each command runs in its own directory, relative to the configuration', async () => {
  using workspace = new Workspace();
  mkdirSync(`${workspace.project}/sub`);
  workspace.configure({ here: { description: '-', argv: ['pwd'], cwd: '../project/sub' } });
  await using client = await workspace.connect();
  expect(linesOf(await callTool(client, 'here'))).toEqual([`${workspace.project}/sub`]);
  expect(client.instructions).toContain(
    `Commands run in ${workspace.project}/sub; paths are relative to it.`,
  );
});

test('a working directory that leads out of the writable ones by a link of the agent is refused', async () => {
  using workspace = new Workspace();
  mkdirSync(`${workspace.project}/sub`);
  mkdirSync(`${workspace.project}/other`);
  mkdirSync(`${workspace.base}/elsewhere`);
  workspace.configure({ remove: sh('touch removed', { cwd: '../project/sub' }) });
  await using client = await workspace.connect();
  const replace = (target: string) => {
    rmSync(`${workspace.project}/sub`, { recursive: true });
    symlinkSync(target, `${workspace.project}/sub`);
  };
  replace('../elsewhere');
  expect(await callTool(client, 'remove')).toEqual({
    text: expect.stringContaining(`leads out of the writable directories, to "${workspace.base}/elsewhere"`),
    isError: true,
  });
  expect(existsSync(`${workspace.base}/elsewhere/removed`)).toBe(false);
  replace('other');
  expect((await callTool(client, 'remove')).text).toMatch(/^Done/);
});

test('a temporary directory with very many and very deep files is removed, and the server answers meanwhile', async () => {
  const fill =
    'const fs = require("fs"); process.chdir(process.env.TMPDIR); for (let n = 0; n < 6000; n++) fs.mkdirSync("d" + n); for (let n = 0; n < 500; n++) { fs.mkdirSync("d".repeat(100)); process.chdir("d".repeat(100)); }';
  using workspace = new Workspace({
    fills: sh(
      `echo "$TMPDIR"; node -e '${fill}'; mkdir "$TMPDIR/a"; touch "$TMPDIR/a/b"; chmod 0 "$TMPDIR/a"`,
    ),
  });
  await using client = await workspace.connect();
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  const answer = await callTool(client, 'fills');
  clearInterval(timer);
  expect(answer.text).toMatch(/^Done/);
  const [directory] = linesOf(answer);
  await expect.poll(() => existsSync(directory!), { timeout: 15_000 }).toBe(false);
  expect(longest).toBeLessThan(1_500);
});

test('a directory of PATH that cannot be read is passed over', async () => {
  using workspace = new Workspace({ say: { description: '-', argv: ['echo', 'said'] } });
  mkdirSync(`${workspace.base}/operator/closed/bin`, { recursive: true });
  chmodSync(`${workspace.base}/operator/closed`, 0);
  const { PATH } = process.env;
  // A name that is too long fails for root too.
  process.env['PATH'] = `${workspace.base}/operator/closed/bin:/${'x'.repeat(300)}:${PATH}`;
  try {
    await using client = await workspace.connect();
    expect(linesOf(await callTool(client, 'say'))).toEqual(['said']);
  } finally {
    process.env['PATH'] = PATH;
    chmodSync(`${workspace.base}/operator/closed`, 0o700);
  }
});

test('a pattern that takes too long for a value or a line is given up', async () => {
  const text = `${'a'.repeat(60)}!`;
  using workspace = new Workspace({
    print: {
      description: '-',
      argv: ['echo', '{x}'],
      arguments: { x: { type: 'string', pattern: String.raw`^(\w+/?)+$` } },
    },
    fails: {
      ...sh(`echo "BAD first"; seq 3000; echo "${text}"; exit 1`),
      failures: String.raw`^BAD|^(\w+/?)+$`,
    },
  });
  await using client = await workspace.connect();
  expect(await callTool(client, 'print', { x: text })).toEqual({
    text: expect.stringContaining('takes too long to compare with'),
    isError: true,
  });
  expect(linesOf(await callTool(client, 'print', { x: 'src/a' }))).toEqual(['src/a']);
  expect((await callTool(client, 'fails')).text).toContain('1\tBAD first');
});

test('a long output is answered by its failures and last lines, and read by cursor or by match', async () => {
  using workspace = new Workspace({
    long: sh(
      'seq 1 5000; echo "FAIL a.test.ts"; echo "  expected 1"; echo "  got 2"; seq 5004 9000; echo "0 errors, no failures"; exit 1',
    ),
    own: { ...sh('seq 1 5000; echo "BAD thing"; exit 1'), failures: '^BAD' },
    well: sh('seq 1 5000; echo "Error: ignored"; seq 1 5000'),
  });
  await using client = await workspace.connect();
  const { text } = await callTool(client, 'long');
  expect(text).toContain(
    '\nFailures:\n5001\tFAIL a.test.ts\n5002\t  expected 1\n5003\t  got 2\nLast lines:\n',
  );
  expect(text).toContain(
    '\n9000\t9000\n9001\t0 errors, no failures\nAll 9001 lines: read_output with the cursor "1:1:0"',
  );
  expect(text.length).toBeLessThan(10_000);

  const all: string[] = [];
  for (let cursor: string | undefined = '1:1:0'; cursor !== undefined;) {
    const page: string = (await callTool(client, 'read_output', { cursor })).text;
    expect(page.length).toBeLessThanOrEqual(40_000);
    cursor = /\nMore: cursor "(.*)"$/.exec(page)?.[1];
    all.push(...page.split('\n').filter((line) => /^\d+\t/.test(line)));
  }
  expect(all).toHaveLength(9001);
  expect(all[6000]).toBe('6001\t6001');
  expect(linesOf(await callTool(client, 'read_output', { run: 1, pattern: 'got' }))).toEqual(['  got 2']);
  expect(linesOf(await callTool(client, 'read_output', { cursor: '1', match: 'zzz' }))).toEqual([
    'No line from 1 on contains "zzz"',
  ]);
  expect((await callTool(client, 'own')).text).toContain('Failures:\n5001\tBAD thing\nLast lines:');
  expect((await callTool(client, 'well')).text).not.toContain('Failures');
});

test('a wrong cursor, and a run that is no longer kept, are refused with what there is', async () => {
  using workspace = new Workspace({ quick: sh('echo x') });
  await using client = await workspace.connect();
  const said = async (cursor: string) => (await callTool(client, 'read_output', { cursor })).text;
  expect(await said('1')).toBe('No such run: 1; none has been started');
  for (let n = 0; n < 21; n++) await callTool(client, 'quick');
  expect(await said('1')).toMatch(/^No such run: 1; the last 20 are kept: 2 \(quick\), /);
  expect(await said('x')).toBe(
    'Invalid cursor: "x"; expected a cursor of an answer, such as "3:1:0", or the number of a run',
  );
  expect(linesOf({ text: await said('21:9'), isError: false })).toEqual(['No line 9: there are 1']);
});
