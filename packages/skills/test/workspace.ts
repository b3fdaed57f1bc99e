import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A temporary directory, which is removed after the test. */
export async function temporary(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'skills-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

export const skillText = (name: string, more = '') =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\n# ${name}\n`;

/** Writes a skill with further files into a directory of its name, and returns this directory. */
export async function writeSkill(
  name: string,
  files: { readonly [path: string]: string | Uint8Array } = {},
): Promise<string> {
  const directory = join(await temporary(), name);
  await writeFiles(directory, { 'SKILL.md': skillText(name), ...files });
  return directory;
}

export async function writeFiles(
  directory: string,
  files: { readonly [path: string]: string | Uint8Array },
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  }
}
