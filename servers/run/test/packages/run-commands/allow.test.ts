import { execFileSync } from 'node:child_process';
import { chmodSync, renameSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { programName, run } from '../../program.ts';
import { callTool, linesOf, Workspace } from '../../workspace.ts';

const script = { test: { description: 'Tests.', script: 'test' } };
const manifest = (text: string) => JSON.stringify({ name: 'p', scripts: { test: text, lint: 'true' } });

test('a package script runs only as the operator allowed it, and says how it differs', async () => {
  using workspace = new Workspace(script);
  workspace.put('package.json', manifest('echo one'));
  await using client = await workspace.connect();
  const first = await callTool(client, 'test');
  expect(first).toEqual({
    text: [
      `script "test" of ${workspace.project}/package.json is not allowed yet:`,
      '+echo one',
      'Nothing was run. The operator allows it by running: mcp-server-run allow test',
    ].join('\n'),
    isError: true,
  });
  await workspace.allow();
  expect(linesOf(await callTool(client, 'test'))).toEqual(['one']);
  workspace.put('package.json', manifest('echo one; touch pwned'));
  const changed = await callTool(client, 'test');
  expect(changed.isError).toBe(true);
  expect(changed.text).toContain(
    'is not as the operator allowed it, line 1:\n-echo one\n+echo one; touch pwned\nNothing was run.',
  );
  workspace.put('package.json', manifest('echo one'));
  expect(linesOf(await callTool(client, 'test'))).toEqual(['one']);
  workspace.put('package.json', '{ "scripts": { "tset": "echo two" } }');
  expect((await callTool(client, 'test')).text).toMatch(
    /^No script "test" in ".*package\.json"; did you mean "tset"\?$/,
  );
  expect(() => workspace.read('pwned')).toThrow();
});

test('arguments of a script are never part of its text', async () => {
  using workspace = new Workspace({
    test: {
      description: 'Tests.',
      script: 'test',
      argv: ['{names}'],
      arguments: { names: { type: 'array', items: { type: 'string' } } },
    },
  });
  workspace.put('package.json', manifest("printf '<%s>\\n' a"));
  await workspace.allow();
  await using client = await workspace.connect();
  expect(
    linesOf(await callTool(client, 'test', { names: ['; touch pwned', '$(touch pwned)', '"'] })),
  ).toEqual(['<a>', '<; touch pwned>', '<$(touch pwned)>', '<">']);
});

test('programs of installed packages are found by a script', async () => {
  using workspace = new Workspace(script);
  workspace.put('node_modules/.bin/tool', '#!/bin/sh\necho tool $npm_lifecycle_event\n', 0o755);
  workspace.put('package.json', manifest('tool'));
  await workspace.allow();
  await using client = await workspace.connect();
  expect(linesOf(await callTool(client, 'test'))).toEqual(['tool test']);
});

test('a program in a writable directory, the script of an interpreter and a pinned file are compared too', async () => {
  using workspace = new Workspace({
    own: { description: '-', argv: ['./own.sh'] },
    node: { description: '-', argv: ['node', 'check.mjs', '{x}'], arguments: { x: { type: 'string' } } },
    pinned: { description: '-', argv: ['cat', 'data'], pinned: ['data'] },
  });
  const files: readonly (readonly [tool: string, file: string, text: string, other: string])[] = [
    ['own', 'own.sh', '#!/bin/sh\necho one\n', '#!/bin/sh\necho two\n'],
    ['node', 'check.mjs', "console.log('one')\n", "console.log('two')\n"],
    ['pinned', 'data', 'one\n', 'two\n'],
  ];
  for (const [, file, text] of files) workspace.put(file, text, 0o755);
  await using client = await workspace.connect();
  for (const [tool] of files) expect((await callTool(client, tool)).text).toContain('is not allowed yet');
  await workspace.allow();
  for (const [tool, file, , other] of files) {
    expect(linesOf(await callTool(client, tool))).toEqual(['one']);
    workspace.put(file, other, 0o755);
    const { text, isError } = await callTool(client, tool);
    expect(isError).toBe(true);
    expect(text).toMatch(/is not as the operator allowed it, line \d:\n-.*one.*\n\+.*two/);
  }
});

test('the files of an interpreter are compared wherever the configuration names them', async () => {
  using workspace = new Workspace({
    condition: {
      description: '-',
      argv: ['sh', { if: 'x', argv: ['condition.sh'] }],
      arguments: { x: { type: 'boolean' } },
    },
    option: { description: '-', argv: ['node', '--import=./hook.mjs', '/dev/null'] },
    shortened: { description: '-', argv: ['node', 'shortened'] },
    wrapped: { description: '-', argv: ['env', 'A=1', './wrapped'] },
    long: { description: '-', argv: ['sh', '-c', `echo long # ${'x'.repeat(5_000)}`] },
  });
  workspace.put('condition.sh', 'echo PWNED');
  workspace.put('hook.mjs', 'console.log("PWNED")');
  workspace.put('shortened.js', 'console.log("PWNED")');
  workspace.put('wrapped', '#!/bin/sh\necho PWNED\n', 0o755);
  await using client = await workspace.connect();
  for (const tool of ['condition', 'option', 'shortened', 'wrapped'])
    expect((await callTool(client, tool, tool === 'condition' ? { x: true } : {})).text).toContain(
      'is not allowed yet',
    );
  expect(linesOf(await callTool(client, 'long'))).toEqual(['long']);
});

test.skipIf(process.platform === 'win32')(
  'a pipe or a device in the place of a file is refused at once, and not run',
  async () => {
    using workspace = new Workspace({
      ...script,
      shell: { description: '-', argv: ['sh', 'own.sh'] },
      pinned: { description: '-', argv: ['true'], pinned: ['data'] },
    });
    for (const file of ['package.json', 'own.sh', 'data'])
      execFileSync('mkfifo', [join(workspace.project, file)]);
    await using client = await workspace.connect();
    for (const tool of ['test', 'shell', 'pinned'])
      expect((await callTool(client, tool)).text).toMatch(/^Cannot read ".*": Not a file, but a directory/);
    rmSync(join(workspace.project, 'data'));
    symlinkSync('/dev/zero', join(workspace.project, 'data'));
    expect((await callTool(client, 'pinned')).text).toContain('Not a file, but');
    rmSync(join(workspace.project, 'package.json'));
    workspace.put('package.json', '');
    truncateSync(join(workspace.project, 'package.json'), 2 ** 30);
    expect((await callTool(client, 'test')).text).toContain('More than 16777216 bytes');
  },
);

test.skipIf(process.platform !== 'linux')(
  'a file that is replaced while a sandbox is tried is not run',
  async () => {
    using workspace = new Workspace({ own: { description: '-', argv: ['/bin/sh', 'own.sh'] } });
    const own = workspace.put('own.sh', 'echo one\n');
    await workspace.allow();
    workspace.configure({ own: { description: '-', argv: ['/bin/sh', 'own.sh'] } }, { sandbox: 'preferred' });
    for (const name of ['bwrap', 'unshare'])
      workspace.write(
        join(workspace.base, 'operator/bin', name),
        `#!/bin/sh\necho echo PWNED > '${own}'\nexit 1\n`,
        0o755,
      );
    const { PATH } = process.env;
    process.env['PATH'] = `${workspace.base}/operator/bin:${PATH}`;
    try {
      await using client = await workspace.connect();
      expect((await callTool(client, 'own')).text).toContain('is not as the operator allowed it');
    } finally {
      process.env['PATH'] = PATH;
    }
  },
);

test('a program that the agent replaces by a link to another one is refused', async () => {
  using workspace = new Workspace({ tool: { description: '-', argv: ['./bin/tool'] } });
  workspace.put('real.sh', '#!/bin/sh\necho one\n', 0o755);
  workspace.put('bin/x', '');
  symlinkSync('../real.sh', join(workspace.project, 'bin/tool'));
  await workspace.allow();
  await using client = await workspace.connect();
  expect(linesOf(await callTool(client, 'tool'))).toEqual(['one']);
  rmSync(join(workspace.project, 'bin/tool'));
  symlinkSync('/bin/true', join(workspace.project, 'bin/tool'));
  expect((await callTool(client, 'tool')).text).toMatch(/leads to "\/.*true", not to ".*real\.sh"/);
});

test('the command line shows, asks and records, in a file that only its owner can read', async () => {
  using workspace = new Workspace({ ...script, lint: { description: 'Lints.', script: 'lint' } });
  workspace.put('package.json', manifest('echo one'));
  const record = workspace.file.replace('.json', '.allowed.json');
  const declined = await run(['allow', workspace.file, 'test'], { input: 'n\n' });
  expect(declined).toEqual({
    stdout: `test: script "test" of ${workspace.project}/package.json\n+echo one\n\nAllow this? [y/N] Nothing was allowed\n`,
    stderr: '',
    code: 1,
  });
  expect(await run(['allow', workspace.file, 'test'])).toMatchObject({ code: 1 });
  expect(await run(['allow', workspace.file, 'test'], { input: 'y\n' })).toMatchObject({
    stdout: expect.stringContaining(`Recorded in ${record}\n`),
    code: 0,
  });
  expect(statSync(record).mode & 0o777).toBe(0o600);
  await using client = await workspace.connect();
  expect(linesOf(await callTool(client, 'test'))).toEqual(['one']);
  expect((await callTool(client, 'lint')).text).toContain('not allowed yet');
  expect(await run(['allow', workspace.file, '--yes'])).toMatchObject({ code: 0 });
  expect((await callTool(client, 'lint')).text).toMatch(/^Done/);
  expect(await run(['allow', workspace.file])).toEqual({
    stdout: 'Nothing to allow: everything is allowed in its present form\n',
    stderr: '',
    code: 0,
  });
  workspace.put('package.json', manifest('echo two'));
  expect((await run(['allow', workspace.file], { input: 'no\n' })).stdout).toContain(
    'has changed\nline 1:\n-echo one\n+echo two\n',
  );
  expect(await run(['allow', workspace.file, 'tset'])).toMatchObject({
    stderr: `${programName} allow: No such command: "tset"; did you mean "test"?\n`,
    code: 2,
  });
  expect(await run(['allow'])).toMatchObject({
    stderr: expect.stringContaining('Missing argument'),
    code: 2,
  });
  expect(await run(['allow', workspace.file, '--force'])).toMatchObject({ code: 2 });
});

test('a command whose program is missing is named, and the others are allowed', async () => {
  using workspace = new Workspace({ ...script, nope: { description: '-', argv: ['no-such-program'] } });
  workspace.put('package.json', manifest('echo one'));
  const { stdout, stderr, code } = await run(['allow', workspace.file, '--yes']);
  expect(stderr).toMatch(/^Cannot be allowed: nope: No such program: "no-such-program"/);
  expect(stdout).toContain('Recorded in');
  expect(code).toBe(2);
  await using client = await workspace.connect();
  expect(linesOf(await callTool(client, 'test'))).toEqual(['one']);
  expect(await run(['allow', workspace.file, '--yes'])).toMatchObject({
    stdout: 'Nothing to allow: everything of the other commands is allowed in its present form\n',
    code: 2,
  });
});

test('the operator is shown all of what he allows, and nothing that forges it', async () => {
  using workspace = new Workspace({ own: { description: '-', argv: ['./own'] } });
  workspace.put('own', `#!/bin/sh\n${'# padding\n'.repeat(2_000)}echo PWNED\n`, 0o755);
  const first = await run(['allow', workspace.file], { input: 'y\n' });
  expect(first.stdout).toContain('+# padding\n+echo PWNED\n');
  rmSync(join(workspace.project, 'own'));
  workspace.put('forged\n\u001b[2J/own', '#!/bin/sh\n', 0o755);
  symlinkSync('forged\n\u001b[2J/own', join(workspace.project, 'own'));
  const { stdout } = await run(['allow', workspace.file], { input: 'n\n' });
  expect(stdout).toContain(String.raw`leads to "${workspace.project}/forged\n\u{1b}[2J/own", not to`);
  expect(stdout).not.toContain('\u001b');
  await using client = await workspace.connect();
  expect((await callTool(client, 'own')).text.length).toBeLessThan(10_000);
});

test('a record that the agent could write, or that is damaged, allows nothing', async () => {
  using workspace = new Workspace(script);
  workspace.put('package.json', manifest('echo one'));
  await workspace.allow();
  await using client = await workspace.connect();
  const record = workspace.file.replace('.json', '.allowed.json');
  chmodSync(record, 0o666);
  expect((await callTool(client, 'test')).text).toMatch(
    /^The record ".*" can be written by every user; run: chmod o-w /,
  );
  chmodSync(record, 0o600);
  renameSync(record, join(workspace.project, 'record'));
  symlinkSync(join(workspace.project, 'record'), record);
  expect((await callTool(client, 'test')).text).toContain('lies in the writable directory');
  rmSync(record);
  writeFileSync(record, '{', { mode: 0o600 });
  expect((await callTool(client, 'test')).text).toMatch(
    /^Cannot read the record .* delete it and allow the commands again/,
  );
});
