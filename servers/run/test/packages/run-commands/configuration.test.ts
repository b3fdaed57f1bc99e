import { chmodSync, linkSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { programName, run } from '../../program.ts';
import { sh, Workspace } from '../../workspace.ts';

/** What the program prints when it does not start. */
async function refusal(file: string): Promise<string> {
  const { stdout, stderr, code } = await run([file]);
  expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
  return stderr.replace(`${programName}: `, '').replace('\nRun with --help for usage\n', '');
}

test('each fault of the configuration is said, with its line and its key', async () => {
  using workspace = new Workspace();
  workspace.write(
    workspace.file,
    `{
  // Comments and trailing commas are read.
  "writable": ["../project"],
  "cwd": "../project",
  "sandbx": "off",
  "maxRunning": 0,
  "commands": {
    "a b": { "description": "-", "argv": ["true"] },
    "read_output": { "description": "-", "argv": ["true"] },
    "none": {},
    "placed": {
      "description": "-",
      "argv": ["{program}", "{flies}", "}", { "if": "deep", "agrv": [] }],
      "arguments": {
        "files": { "type": "array", "items": { "type": "text" } },
        "unused": { "type": "string", "minimum": 1, "pattern": "(" },
        "wrong": { "type": "integer", "default": "x" },
      },
      "required": ["file"],
      "timeoutSeconds": "10",
      "env": { "A": 1 },
    },
  },
}`,
  );
  expect((await refusal(workspace.file)).split('\n')).toEqual([
    'commands.json:5: sandbx: Unknown key; did you mean "sandbox"?',
    'commands.json:6: maxRunning: Expected a whole number from 1 to 64, not "0"',
    'commands.json:8: commands.a b: A name has 1 to 64 letters, digits, "_" and "-", begins with a letter, and is not "read_output"',
    'commands.json:9: commands.read_output: A name has 1 to 64 letters, digits, "_" and "-", begins with a letter, and is not "read_output"',
    'commands.json:10: commands.none.argv: Missing: expected an array',
    'commands.json:10: commands.none.description: Missing: expected a string that is not empty',
    'commands.json:13: commands.placed.argv[0]: No such argument: "program"; expected files, unused, wrong',
    'commands.json:13: commands.placed.argv[1]: No such argument: "flies"; did you mean "files"?',
    'commands.json:13: commands.placed.argv[2]: A single "}"; write "}}" for the character itself',
    'commands.json:13: commands.placed.argv[3].agrv: Unknown key; did you mean "argv"?',
    'commands.json:13: commands.placed.argv[3].if: No such argument: "deep"; expected files, unused, wrong',
    'commands.json:13: commands.placed.argv[3].argv: Missing: expected an array',
    'commands.json:13: commands.placed.argv[0]: Expected the program, as a string without {argument}',
    'commands.json:15: commands.placed.arguments.files.items.type: Expected one of string, integer, number, boolean, not "\\"text\\""',
    'commands.json:15: commands.placed.arguments.files: Not used: place it in "argv" as "{files}"',
    'commands.json:16: commands.placed.arguments.unused.minimum: Does not apply to the type string',
    'commands.json:16: commands.placed.arguments.unused.pattern: Invalid regular expression: /(/u: Unterminated group',
    'commands.json:16: commands.placed.arguments.unused: Not used: place it in "argv" as "{unused}"',
    'commands.json:17: commands.placed.arguments.wrong.default: must be a whole number, not "x"',
    'commands.json:17: commands.placed.arguments.wrong: Not used: place it in "argv" as "{wrong}"',
    'commands.json:19: commands.placed.required[0]: No such argument; did you mean "files"?',
    'commands.json:20: commands.placed.timeoutSeconds: Expected a whole number from 1 to 86400, not "\\"10\\""',
    `commands.json:21: commands.placed.env.A: Expected a string, or true for the value in the server's environment`,
  ]);
});

test('a syntax error, a file that is missing and a missing list of writable directories are said', async () => {
  using workspace = new Workspace();
  workspace.write(workspace.file, '{\n  "writable" []\n}');
  expect(await refusal(workspace.file)).toBe('commands.json:2:14: JSON: colon expected');
  expect(await refusal(`${workspace.file}x`)).toMatch(/^Cannot read the configuration ".*x": ENOENT/);
  workspace.write(workspace.file, '{ "commands": {} }');
  expect(await refusal(workspace.file)).toBe(
    'commands.json:1: writable: Missing: expected the directories that the agent may write, or []',
  );
  workspace.write(workspace.file, '{ "writable": ["../no"], "commands": {} }');
  expect(await refusal(workspace.file)).toBe(
    `commands.json:1: writable: No such directory: "${workspace.base}/no"`,
  );
  expect(await refusal('--structured')).toBe('Missing argument: the file that names the commands');
});

test('the server does not start from a configuration that the agent could change', async () => {
  using workspace = new Workspace({ a: sh(':') });
  const text = JSON.stringify({ writable: ['.'], commands: {} });
  const inside = workspace.put(
    'deep/er/commands.json',
    JSON.stringify({ writable: [workspace.project], commands: {} }),
  );
  const writable = `lies in the writable directory "${workspace.project}", or is reached by a symbolic link there, so the agent could change its own permissions; move it out of the directory`;
  expect(await refusal(inside)).toBe(`The configuration "${inside}" ${writable}`);

  // The agent can write the file by a link in the writable directory to a file outside, or the other way
  // round.
  const outward = join(workspace.project, 'link.json');
  symlinkSync(workspace.file, outward);
  workspace.configure({}, { writable: [workspace.project], cwd: workspace.project });
  expect(await refusal(outward)).toContain(writable);
  const inward = join(workspace.base, 'operator/inward.json');
  symlinkSync(inside, inward);
  expect(await refusal(inward)).toContain(writable);
  // A directory of the path is a link that the agent could point elsewhere.
  mkdirSync(join(workspace.base, 'real'));
  workspace.write(
    join(workspace.base, 'real/commands.json'),
    JSON.stringify({ writable: [workspace.project], commands: {} }),
  );
  symlinkSync(join(workspace.base, 'real'), join(workspace.project, 'way'));
  symlinkSync(join(workspace.project, 'way'), join(workspace.base, 'hop'));
  expect(await refusal(join(workspace.base, 'hop/commands.json'))).toContain(writable);
  // The configuration names the writable directory by a link.
  symlinkSync(workspace.project, join(workspace.base, 'alias'));
  workspace.write(inside, JSON.stringify({ writable: [join(workspace.base, 'alias')], commands: {} }));
  expect(await refusal(inside)).toContain(writable);
  // The file has a hard link in the writable directory.
  const linked = workspace.write(
    join(workspace.base, 'operator/linked.json'),
    JSON.stringify({ writable: [workspace.project], commands: {} }),
  );
  linkSync(linked, join(workspace.project, 'hard.json'));
  expect(await refusal(linked)).toMatch(
    /has 2 hard links, one of which may lie in a writable directory; replace it by a copy$/,
  );
  // The permissions let every user write the file.
  chmodSync(workspace.file, 0o666);
  expect(await refusal(workspace.file)).toBe(
    `The configuration "${workspace.file}" can be written by every user; run: chmod o-w "${workspace.file}"`,
  );
  // The directory of the configuration is itself writable.
  const own = workspace.write(join(workspace.base, 'own/commands.json'), text);
  expect(await refusal(own)).toContain('lies in the writable directory');
  // The record of the configuration is a link into the writable directory.
  rmSync(own);
  workspace.configure({}, {});
  chmodSync(workspace.file, 0o644);
  symlinkSync(join(workspace.project, 'record'), workspace.file.replace('.json', '.allowed.json'));
  expect(await refusal(workspace.file)).toMatch(
    /^The record ".*commands\.allowed\.json" lies in the writable directory/,
  );
});
