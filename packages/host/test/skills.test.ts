import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledProgram } from '@mcp/test-kit/bundled-program';
import { afterEach, describe, expect, test } from 'vitest';
import { hasTerminals, Terminal } from './terminal.ts';
import { Workspace } from './workspace.ts';

const server = bundledProgram(fileURLToPath(new URL('skill-server.ts', import.meta.url)));
const entry = (...args: readonly string[]) => ({ command: process.execPath, args: [server, ...args] });

const opened: Workspace[] = [];
afterEach(() => opened.splice(0).forEach((each) => each[Symbol.dispose]()));

const skillText = (name: string, more = '') =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\n# ${name}\n`;

/** A server `own` with the skills `greet` and `leave`, and a server `liar` with one that must be refused. */
function workspaceOf(lie = 'digest') {
  const files = new Workspace();
  const put = (path: string, text: string) => files.directory.put(`served/${path}`, text);
  put('greet/SKILL.md', skillText('greet'));
  put('greet/scripts/hello world.sh', '#!/bin/sh\necho hello\n');
  put('leave/SKILL.md', skillText('leave'));
  const served = join(files.directory.root, 'served');
  const workspace = new Workspace({
    own: entry(join(served, 'greet'), join(served, 'leave')),
    liar: entry('--lie', lie),
  });
  opened.push(files, workspace);
  const skills = join(workspace.directory.root, 'skills');
  const mcp = (...args: readonly string[]) => workspace.mcp(['skills', ...args]);
  return {
    workspace,
    put,
    skills,
    mcp,
    install: (...args: readonly string[]) => mcp('install', ...args, '--directory', skills),
  };
}

test('list shows the skills of all servers that have some', async () => {
  const { mcp } = workspaceOf();
  const { stdout, code } = await mcp('list');
  expect(stdout).toBe(
    'own\n  greet  2 files, 74 B  Does greet.\n  leave  1 file, 53 B   Does leave.\nliar\n  liar  2 files, 42 B  Lies.\n',
  );
  expect(code).toBe(0);
  expect((await mcp('list', 'fix')).stdout).toBe('fix\n  no skills\n');
  const { stdout: json } = await mcp('list', 'own', '--json');
  expect(JSON.parse(json)).toMatchObject({
    own: { skills: [{ uri: 'skill://greet/SKILL.md' }, {}], refused: [] },
  });
});

test('list shows the entries that are refused, with their reasons', async () => {
  const { mcp } = workspaceOf('outside');
  expect((await mcp('list', 'liar')).stdout).toContain(
    'refused: skill://liar/SKILL.md: "skill://liar/../../outside.md"',
  );
});

test('get prints the SKILL.md, or another file', async () => {
  const { mcp } = workspaceOf();
  const { stdout, stderr } = await mcp('get', 'own', 'greet');
  expect(stdout).toBe(skillText('greet'));
  expect(stderr).toContain('skill://greet/SKILL.md, of the server own\n');
  expect(stderr).toContain('  scripts/hello world.sh  21 B\n');
  const script = await mcp('get', 'own', 'skill://greet/SKILL.md', 'scripts/hello world.sh');
  expect(script.stdout).toBe('#!/bin/sh\necho hello\n');
});

test.each([
  [['get', 'own', 'great'], 5, 'lists no skill "great"; did you mean "greet"?'],
  [['get', 'own', 'greet', '../leave/SKILL.md'], 9, 'is not a file of the skill'],
  [['get', 'fix', 'greet'], 5, 'The server "fix" has no skills'],
  [['get', 'liar', 'liar', 'a.md'], 9, '"skill://liar/a.md" has the digest sha256:'],
  [['get', 'own'], 1, 'Name a server and a skill'],
  [['show', 'own'], 1, 'with the verb list, get, verify or install'],
  [['install', 'own', 'greet'], 1, 'Name a server, a skill and a directory'],
])('%j ends with %i', async (args, code, message) => {
  const { mcp } = workspaceOf();
  const result = await mcp(...args);
  expect(result.stderr).toContain(message);
  expect(result.code).toBe(code);
});

test('verify reads all files of all skills, and fails for a wrong digest', async () => {
  const { mcp } = workspaceOf();
  const good = await mcp('verify', 'own');
  expect(good.stdout).toBe(
    'ok     skill://greet/SKILL.md  2 files, 74 B\nok     skill://leave/SKILL.md  1 file, 53 B\n',
  );
  expect(good.code).toBe(0);
  const bad = await mcp('verify', 'liar');
  expect(bad.stdout).toMatch(/^fault {2}skill:\/\/liar\/SKILL.md: "skill:\/\/liar\/a.md" has the digest/);
  expect(bad.code).toBe(9);
});

describe('install', () => {
  test('without a terminal, shows the skill and installs nothing', async () => {
    const { install, skills } = workspaceOf();
    const { code, stderr } = await install('own', 'greet');
    expect(code).toBe(7);
    expect(stderr).toContain('The skill greet of the server own (skill://greet/SKILL.md)');
    expect(stderr).toMatch(/ {2}scripts\/hello world.sh {2}21 B {2}sha256:[0-9a-f]{64}\n/);
    expect(stderr).toContain('scripts/hello world.sh is a script; it is not made executable.');
    expect(stderr).toContain('# greet\n');
    expect(stderr).toContain('Nothing was installed; --yes installs these files');
    expect(existsSync(skills)).toBe(false);
  });

  test('with --yes, writes the files, none of them executable, and pins them', async () => {
    const { install, mcp, skills } = workspaceOf();
    expect((await install('own', 'greet', '--yes')).code).toBe(0);
    expect(readFileSync(join(skills, 'greet/SKILL.md'), 'utf8')).toBe(skillText('greet'));
    if (process.platform !== 'win32')
      expect(statSync(join(skills, 'greet/scripts/hello world.sh')).mode & 0o111).toBe(0);
    const pins = JSON.parse(readFileSync(join(skills, 'greet.mcp-skill.json'), 'utf8')) as unknown;
    expect(pins).toMatchObject({ server: 'own', uri: 'skill://greet/SKILL.md' });
    expect(readdirSync(skills).toSorted()).toEqual(['greet', 'greet.mcp-skill.json']);
    expect((await install('own', 'greet')).stdout).toBe(`${join(skills, 'greet')} is up to date.\n`);
    const verified = await mcp('verify', 'own', 'greet', '--directory', skills);
    expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('as installed in') });
  });

  test('asks again after a change, shows it, and keeps the old files until then', async () => {
    const { install, mcp, skills, put } = workspaceOf();
    await install('own', 'greet', '--yes');
    put('greet/SKILL.md', skillText('greet', 'allowed-tools: Bash(*)\n'));
    put('greet/new.md', 'Invisible: \u{e0041}\n');
    const verified = await mcp('verify', 'own', 'greet', '--directory', skills);
    expect(verified).toMatchObject({
      code: 9,
      stdout: expect.stringContaining('has changed: changed SKILL.md, new new.md'),
    });
    const asked = await install('own', 'greet');
    expect(asked.code).toBe(7);
    expect(asked.stderr).toContain('It has changed since you installed it:');
    expect(asked.stderr).toContain('  changed  SKILL.md');
    expect(asked.stderr).toContain('  new      new.md');
    expect(asked.stderr).toContain('  same     scripts/hello world.sh');
    expect(asked.stderr).toContain('It asks for tools ("allowed-tools")');
    expect(asked.stderr).toContain('new.md has characters that cannot be seen: 1.');
    expect(readFileSync(join(skills, 'greet/SKILL.md'), 'utf8')).toBe(skillText('greet'));
    expect((await install('own', 'greet', '--yes')).code).toBe(0);
    expect(readdirSync(join(skills, 'greet')).toSorted()).toEqual(['SKILL.md', 'new.md', 'scripts']);
  });

  test('says which changes in the copy will be lost', async () => {
    const { install, mcp, skills } = workspaceOf();
    await install('own', 'greet', '--yes');
    writeFileSync(join(skills, 'greet/SKILL.md'), 'Mine\n');
    writeFileSync(join(skills, 'greet/mine.md'), 'Mine\n');
    const verified = await mcp('verify', 'own', 'greet', '--directory', skills);
    expect(verified).toMatchObject({
      code: 9,
      stdout: expect.stringContaining('was changed: changed SKILL.md, new mine.md'),
    });
    const { stderr, code } = await install('own', 'greet');
    expect(stderr).toContain('The change in your copy will be lost: changed SKILL.md');
    expect(code).toBe(7);
    await install('own', 'greet', '--yes');
    expect(readdirSync(join(skills, 'greet')).toSorted()).toEqual(['SKILL.md', 'scripts']);
  });

  test.each([
    ['outside', 'is refused: "skill://liar/../../outside.md" has a segment'],
    ['encoded', 'has a segment that is no name of a file: "%2e%2e"'],
    ['case', 'are the same file on some systems'],
    ['device', 'has a name that is not valid on each system: "NUL.txt"'],
    ['nested', '"a" is a file, and a directory of "a/b"'],
    ['digest', 'has the digest'],
    ['dynamic', 'its content is dynamic, so that nothing can be pinned'],
  ])('refuses a skill with wrong files: %s', async (lie, reason) => {
    const { install, skills, workspace } = workspaceOf(lie);
    const { code, stderr } = await install('liar', 'liar', '--yes');
    expect(stderr).toContain(reason);
    expect(code).toBeOneOf([5, 7, 9]);
    expect(existsSync(skills)).toBe(false);
    expect(existsSync(join(workspace.directory.base, 'outside.md'))).toBe(false);
  });

  test('replaces nothing that it has not installed, and follows no link', async () => {
    const { install, skills, workspace } = workspaceOf();
    mkdirSync(join(skills, 'greet'), { recursive: true });
    expect((await install('own', 'greet', '--yes')).stderr).toContain('exists and was not installed by mcp');
    rmSync(join(skills, 'greet'), { recursive: true });
    await install('own', 'greet', '--yes');
    const outside = workspace.directory.put('outside/SKILL.md', 'Outside\n');
    rmSync(join(skills, 'greet'), { recursive: true });
    symlinkSync(join(outside, '..'), join(skills, 'greet'));
    const { stderr, code } = await install('own', 'greet', '--yes');
    expect(stderr).toContain('is a link or a file; remove it');
    expect(code).toBe(7);
    expect(readFileSync(outside, 'utf8')).toBe('Outside\n');
    expect(lstatSync(join(skills, 'greet')).isSymbolicLink()).toBe(true);
  });

  test('refuses to replace a skill of another server, and a damaged file of pins', async () => {
    const { install, skills } = workspaceOf();
    await install('own', 'greet', '--yes');
    const pins = join(skills, 'greet.mcp-skill.json');
    writeFileSync(pins, readFileSync(pins, 'utf8').replace('"own"', '"other"'));
    expect((await install('own', 'greet', '--yes')).stderr).toContain(
      'of the server "other"; choose another directory',
    );
    writeFileSync(pins, '{"server": 1}');
    expect((await install('own', 'greet', '--yes')).stderr).toContain('is damaged; delete it');
  });

  test.skipIf(!hasTerminals)('in a terminal, asks', async () => {
    const { workspace, skills } = workspaceOf();
    const command = workspace.commandLine('skills', 'install', 'own', 'leave', '--directory', skills);
    const refused = new Terminal(command, { env: workspace.env });
    await refused.shows(`[y/N] `);
    refused.type('n\r');
    expect(await refused.ended()).toBe(7);
    const accepted = new Terminal(command, { env: workspace.env });
    await accepted.shows(`[y/N] `);
    accepted.type('y\r');
    expect(await accepted.ended()).toBe(0);
    expect(readFileSync(join(skills, 'leave/SKILL.md'), 'utf8')).toBe(skillText('leave'));
  });
});
