import { expect, test, vi } from 'vitest';
import { callTool, linesOf, sh, Workspace } from '../../workspace.ts';

// The programs print a gigabyte, and the tests wait for the time limits of programs that ignore SIGTERM.
vi.setConfig({ testTimeout: 120_000 });

test('a gigabyte of output is counted, its beginning and end are kept, and the answer says so', async () => {
  using workspace = new Workspace({
    flood: sh(`yes ${'x'.repeat(99)} | head -c 1000000000; echo "Error: last"; exit 1`),
  });
  await using client = await workspace.connect();
  const before = process.memoryUsage().rss;
  const { text } = await callTool(client, 'flood');
  expect(process.memoryUsage().rss - before).toBeLessThan(300e6);
  expect(text).toMatch(/^Failed: exit code 1 after .* s, 10000001 lines; run 1\n/);
  expect(text).toMatch(
    /\n… \d+ of 1000000012 bytes were dropped: the first 524288 and the last 1572864 are kept\n/,
  );
  expect(text).toContain('Failures:\n10000001\tError: last\nLast lines:');
  expect(text.length).toBeLessThan(40_000);
  const page = await callTool(client, 'read_output', { cursor: '1:10000000' });
  expect(linesOf(page)).toEqual(['x'.repeat(99), 'Error: last']);
});

test('one line without an end is cut into pages, which together are the line', async () => {
  using workspace = new Workspace({ line: sh('head -c 100000 /dev/zero | tr "\\0" "x"; printf END') });
  await using client = await workspace.connect();
  const { text } = await callTool(client, 'line');
  expect(text).toMatch(
    /, 1 line; run 1\nLast lines:\n1\tx{500}…\nAll 1 lines: read_output with the cursor "1:1:0"/,
  );
  let whole = '';
  let pages = 0;
  for (let cursor: string | undefined = '1:1:0'; cursor !== undefined; pages++) {
    const page: string = (await callTool(client, 'read_output', { cursor })).text;
    expect(page.length).toBeLessThanOrEqual(40_000);
    whole += page.split('\n')[1]!.slice('1\t'.length);
    cursor = /\nMore: cursor "(.*)"$/.exec(page)?.[1];
  }
  expect([whole.length, whole.endsWith('xEND'), pages]).toEqual([100_003, true, 3]);
});

test('the pages of a line whose middle was dropped end, and have all that is kept of it', async () => {
  using workspace = new Workspace({
    line: sh("printf BEGIN; head -c 4000000 /dev/zero | tr '\\0' x; printf END"),
  });
  await using client = await workspace.connect();
  await callTool(client, 'line');
  const cursors = new Set<string>();
  let whole = '';
  for (let cursor: string | undefined = '1'; cursor !== undefined && !cursors.has(cursor);) {
    cursors.add(cursor);
    const page: string = (await callTool(client, 'read_output', { cursor })).text;
    for (const line of page.split('\n')) if (line.startsWith('1\t')) whole += line.slice(2);
    cursor = /\nMore: cursor "(.*)"$/.exec(page)?.[1];
  }
  const { contents } = await client.readResource('run://line/output');
  const { text } = contents[0] as { text: string };
  expect([whole.length, whole === text]).toEqual([text.length, true]);
});

test('no character is cut into halves', async () => {
  using workspace = new Workspace({
    line: sh("printf x; for n in $(seq 1000); do printf '😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀'; done"),
  });
  await using client = await workspace.connect();
  expect((await callTool(client, 'line')).text.isWellFormed()).toBe(true);
  const page = await callTool(client, 'read_output', { cursor: '1' });
  expect([page.text.isWellFormed(), page.text.includes('More: cursor')]).toEqual([true, true]);
});

test('bytes that are no UTF-8 are shown as escapes, and read as they are', async () => {
  using workspace = new Workspace({ bytes: sh(String.raw`printf 'a\377\303\244\303b\000c\n\342\202'`) });
  await using client = await workspace.connect();
  const answer = await callTool(client, 'bytes');
  expect(linesOf(answer)).toEqual([String.raw`a\xffä\xc3b\u{0}c`, String.raw`\xe2\x82`]);
  const { contents } = await client.readResource('run://bytes/output');
  expect(Buffer.from((contents[0] as { blob: string }).blob, 'base64')).toEqual(
    Buffer.from([0x61, 0xff, 0xc3, 0xa4, 0xc3, 0x62, 0x00, 0x63, 0x0a, 0xe2, 0x82]),
  );
});

test('a character of several bytes is whole, wherever the system cuts the output', async () => {
  using workspace = new Workspace({
    cut: sh(String.raw`for b in '\360' '\237' '\230' '\200'; do printf "$b"; sleep 0.02; done`),
  });
  await using client = await workspace.connect();
  expect(linesOf(await callTool(client, 'cut'))).toEqual(['\u{1f600}']);
});

test('terminal sequences, overwritten lines and forged text are removed or shown', async () => {
  using workspace = new Workspace({
    colours: sh(
      String.raw`printf '\033[31mred\033[0m\n\033]0;title\007seen\n10%%\r50%%\r100%%\r\n\033]8;;http://x\033\\link\033]8;;\033\\\n\033]unfinished\nnext\nab\342\200\256cd\n'`,
    ),
  });
  await using client = await workspace.connect();
  expect(linesOf(await callTool(client, 'colours'))).toEqual([
    'red',
    'seen',
    '100%',
    'link',
    '',
    'next',
    String.raw`ab\u{202e}cd`,
  ]);
});

test('a program that closes its output and lives on is waited for', async () => {
  using workspace = new Workspace({ closes: sh('echo shown; exec >&- 2>&-; sleep 0.3; exit 4') });
  await using client = await workspace.connect();
  const answer = await callTool(client, 'closes');
  expect(answer.text).toMatch(/^Failed: exit code 4 /);
  expect(linesOf(answer)).toEqual(['shown']);
});

test('a program that reads gets the end of its input', async () => {
  using workspace = new Workspace({ reads: sh('cat; read x || echo end') });
  await using client = await workspace.connect();
  expect(linesOf(await callTool(client, 'reads'))).toEqual(['end']);
});

const ignoring = "trap '' TERM INT HUP;";
test.each([
  [
    'a process in the background',
    '(exec 9>fifo; echo up >&9; sleep 600) & while [ ! -e up ]; do sleep 0.01; done',
  ],
  [
    'a grandchild that ignores SIGTERM',
    `(${ignoring} exec 9>fifo; echo up >&9; while :; do sleep 1; done) & while [ ! -e up ]; do sleep 0.01; done`,
  ],
  [
    'one that has left its session',
    `setsid sh -c "${ignoring} exec 9>fifo; echo up >&9; while :; do sleep 1; done" & while [ ! -e up ]; do sleep 0.01; done`,
  ],
])('when a program has ended, %s has too', async (_, script) => {
  using workspace = new Workspace({ starts: sh(`${script}; echo done`) });
  const fifo = workspace.fifo('fifo');
  void fifo.opened.then(() => workspace.put('up', ''));
  await using client = await workspace.connect();
  const answer = await callTool(client, 'starts');
  expect(answer.text).toMatch(/^Done: exit code 0 /);
  await fifo.gone;
});

test.each([
  ['sleeps', 'exec 9>fifo; echo up >&9; sleep 600'],
  ['ignores SIGTERM', `${ignoring} exec 9>fifo; echo up >&9; while :; do sleep 1; done`],
  [
    'has a child that left the session and ignores SIGTERM',
    `setsid sh -c "${ignoring} exec 9>fifo; echo up >&9; while :; do sleep 1; done"`,
  ],
  [
    'forks without end',
    'exec 9>fifo; echo up >&9; f() { while :; do sleep 0.01 & wait; done; }; f & f & f & wait',
  ],
  ['prints without end', 'exec 9>fifo; echo up >&9; yes'],
])('a program that %s is stopped at its time limit, with all its processes', async (_, script) => {
  using workspace = new Workspace({ hangs: sh(script, { timeoutSeconds: 1 }) });
  const fifo = workspace.fifo('fifo');
  await using client = await workspace.connect();
  const { text, isError } = await callTool(client, 'hangs');
  expect(isError).toBe(false);
  expect(text).toMatch(/^Stopped at its time limit of 1\.0 s, with all its processes, after \d/);
  await fifo.gone;
});

test('a cancelled call leaves no process, and is the last result', async () => {
  using workspace = new Workspace({
    hangs: sh(`${ignoring} exec 9>fifo; echo up >&9; echo printed; while :; do sleep 1; done`),
  });
  const fifo = workspace.fifo('fifo');
  await using client = await workspace.connect();
  const cancelled = new AbortController();
  const changed = Promise.withResolvers<void>();
  await client.subscribe('run://hangs', changed.resolve);
  const call = client.callTool('hangs', {}, { signal: cancelled.signal });
  await fifo.opened;
  cancelled.abort();
  await expect(call).rejects.toThrow();
  await fifo.gone;
  await changed.promise;
  const { contents } = await client.readResource('run://hangs');
  expect((contents[0] as { text: string }).text).toMatch(
    /^Cancelled, with all its processes, after .*\n1\tprinted$/,
  );
});
