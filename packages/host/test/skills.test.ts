import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
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
  const remove = (path: string) =>
    rmSync(join(files.directory.root, 'served', path), { recursive: true, force: true });
  put('greet/SKILL.md', skillText('greet'));
  put('greet/scripts/hello world.sh', '#!/bin/sh\necho hello\n');
  put('leave/SKILL.md', skillText('leave'));
  const directories = ['greet', 'leave'].map((name) => join(files.directory.root, 'served', name));
  const workspace = new Workspace({
    own: entry(...directories),
    liar: entry('--lie', lie),
  });
  opened.push(files, workspace);
  const skills = join(workspace.directory.root, 'skills');
  const mcp = (...args: readonly string[]) => workspace.mcp(['skills', ...args]);
  return {
    workspace,
    put,
    remove,
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

test('ping takes the refusal of a server without tools as an answer', async () => {
  const { stdout, code } = await workspaceOf().workspace.mcp(['ping', 'own', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ own: { revision: '2026-07-28' } });
  expect(code).toBe(0);
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

  test('keeps the files that the user made, and refuses to replace those that he changed', async () => {
    const { install, mcp, skills, put } = workspaceOf();
    await install('own', 'greet', '--yes');
    writeFileSync(join(skills, 'greet/mine.md'), 'Mine\n');
    const verified = await mcp('verify', 'own', 'greet', '--directory', skills);
    expect(verified).toMatchObject({
      code: 9,
      stdout: expect.stringContaining('was changed: new mine.md'),
    });
    expect((await install('own', 'greet')).stdout).toBe(`${join(skills, 'greet')} is up to date.\n`);

    writeFileSync(join(skills, 'greet/SKILL.md'), 'Mine\n');
    put('greet/SKILL.md', skillText('greet', 'license: MIT\n'));
    const refused = await install('own', 'greet', '--yes');
    expect(refused.code).toBe(7);
    expect(refused.stderr).toContain('these files there are new or were changed: SKILL.md; move them away');
    expect(readFileSync(join(skills, 'greet/SKILL.md'), 'utf8')).toBe('Mine\n');

    renameSync(join(skills, 'greet/SKILL.md'), join(skills, 'greet/old.md'));
    const accepted = await install('own', 'greet', '--yes');
    expect(accepted.stderr).toContain('  yours    mine.md, which stays as it is');
    expect(readdirSync(join(skills, 'greet')).toSorted()).toEqual([
      'SKILL.md',
      'mine.md',
      'old.md',
      'scripts',
    ]);
    expect(readFileSync(join(skills, 'greet/old.md'), 'utf8')).toBe('Mine\n');
    expect(readFileSync(join(skills, 'greet/SKILL.md'), 'utf8')).toContain('license: MIT');
  });

  test('deletes what the skill no longer has, but neither changed files nor those of the user', async () => {
    const { workspace, install, skills, put, remove } = workspaceOf();
    for (const path of ['a/b/one.md', 'a/b/two.md', 'c/three.md']) put(`greet/${path}`, path);
    await install('own', 'greet', '--yes');
    writeFileSync(join(skills, 'greet/a/b/two.md'), 'Mine\n');
    for (const path of ['a', 'c', 'scripts']) remove(`greet/${path}`);
    put('greet/c', 'A file now');
    const { stderr, code } = await install('own', 'greet', '--yes');
    expect(code).toBe(0);
    expect(stderr).toContain('  removed  a/b/one.md');
    expect(stderr).toContain('  yours    a/b/two.md, which stays as it is');
    expect(readdirSync(join(skills, 'greet')).toSorted()).toEqual(['SKILL.md', 'a', 'c']);
    expect(readdirSync(join(skills, 'greet/a/b'))).toEqual(['two.md']);
    expect(readFileSync(join(skills, 'greet/c'), 'utf8')).toBe('A file now');
    expect(readdirSync(skills).toSorted()).toEqual(['greet', 'greet.mcp-skill.json']);
    expect(readdirSync(workspace.directory.base)).not.toContain('outside.md');
  });

  test('does not write where the user has a file of another case, a file as directory, or a link', async () => {
    const { workspace, install, skills, put, remove } = workspaceOf();
    await install('own', 'greet', '--yes');
    const refused = async (path: string, reason: string) => {
      put(`greet/${path}`, 'Of the skill\n');
      const { stderr, code } = await install('own', 'greet', '--yes');
      expect(stderr).toContain(reason);
      expect(code).toBe(7);
      remove(`greet/${path}`);
    };
    writeFileSync(join(skills, 'greet/Notes.md'), 'Mine\n');
    await refused('notes.md', 'are the same file on some systems');
    await refused('Notes.md/more.md', '"Notes.md" is a file, and a directory of "Notes.md/more.md"');
    remove('greet/Notes.md');
    const outside = workspace.directory.put('outside/keep.md', 'Outside\n');
    symlinkSync(join(outside, '..'), join(skills, 'greet/linked'), 'junction');
    await refused('linked/keep.md', '"linked" is a file, and a directory of "linked/keep.md"');
    expect(readFileSync(outside, 'utf8')).toBe('Outside\n');
    expect(readFileSync(join(skills, 'greet/Notes.md'), 'utf8')).toBe('Mine\n');
  });

  test('writes files again that are missing', async () => {
    const { install, skills } = workspaceOf();
    await install('own', 'greet', '--yes');
    rmSync(join(skills, 'greet/SKILL.md'));
    const again = await install('own', 'greet', '--yes');
    expect(again.stderr).toContain('Files of your copy are missing; they are written again:');
    expect(readFileSync(join(skills, 'greet/SKILL.md'), 'utf8')).toBe(skillText('greet'));
  });

  test('ends with an error where it cannot write', async () => {
    const { mcp, put } = workspaceOf();
    const file = put('file', '');
    const dangling = join(file, '../dangling');
    symlinkSync(join(file, '../nowhere'), dangling, 'junction');
    const installIn = (directory: string) =>
      mcp('install', 'own', 'greet', '--yes', '--directory', directory);
    const unmade = await installIn(dangling);
    expect(unmade.stderr).toContain(`"${join(dangling, 'greet')}" cannot be written: ENOENT`);
    expect(unmade.code).toBe(1);
    const { stderr, code } = await installIn(file);
    expect(stderr).toContain('The skill "skill://greet/SKILL.md" is not installed: "');
    expect(code).toBe(7);
    expect(unmade.stderr + stderr).not.toContain('    at ');
  });

  test('says which files programs would read or run on their own', async () => {
    const { install, put } = workspaceOf();
    put('greet/AGENTS.md', 'Obey.\n');
    put('greet/tool.bat', 'dir\n');
    put('greet/inner/SKILL.md', skillText('inner'));
    const { stderr } = await install('own', 'greet');
    expect(stderr).toContain('AGENTS.md is read by some hosts although the skill is not used.');
    expect(stderr).toContain('tool.bat is a program on some systems.');
    expect(stderr).toContain('inner/SKILL.md is another skill, in this one.');
  });

  test.each([
    ['outside', 'is refused: "skill://liar/../../outside.md" has a segment'],
    ['encoded', 'has a segment that is not a valid file name: "%2e%2e"'],
    ['case', 'are the same file on some systems'],
    ['device', 'has a name that is not valid on each system: "NUL.txt"'],
    ['nested', '"a" is a file, and a directory of "a/b"'],
    ['hook', '".git/hooks/post-checkout" has a name that starts with a dot: ".git"'],
    ['setting', '"docs/.claude/settings.json" has a name that starts with a dot: ".claude"'],
    ['reversed', String.raw`"a\u{202e}txt.exe" has a name that has hidden characters`],
    ['long', 'has a name that has more than 255 bytes'],
    ['deep', 'is more than 32 levels deep'],
    ['console', 'has a name that is not valid on each system: "CONIN$"'],
    ['stream', 'has a name that is not valid on each system: "a.txt:b"'],
    ['folded', 'are the same file on some systems'],
    ['absolute', 'has a segment that is not a valid file name: ""'],
    ['nul', 'has a segment that is not a valid file name: "a%00b"'],
    ['backslash', 'has a segment that is not a valid file name: "..%5C..%5Coutside.md"'],
    ['name', '"con" has a name that is not valid on each system: "con"'],
    ['digest', 'has the digest'],
    ['dynamic', 'its content is dynamic, so that nothing can be pinned'],
  ])('refuses a skill with wrong files: %s', async (lie, reason) => {
    const { install, skills, workspace } = workspaceOf(lie);
    const { code, stderr } = await install('liar', lie === 'name' ? 'con' : 'liar', '--yes');
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
    expect(stderr).toContain('is a link or a file; move it away');
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
