import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Helper } from './helper.ts';
import { Workspace } from './workspace.ts';

/** The directory in which servers record the temporary files that they create. */
const notes = join(tmpdir(), `mcp-server-filesystem-${process.geteuid?.() ?? -1}`);

describe('a server killed before the rename of a write', () => {
  /** Starts a process whose writes stop before the rename. */
  async function stopped(workspace: Workspace, paths: readonly string[]): Promise<Helper> {
    const writer = new Helper(`
      fs.promises.rename = () => new Promise(() => console.log('written'));
      const { Sandbox } = await import(source + 'sandbox.ts');
      const sandbox = Sandbox.open({ directories: [${JSON.stringify(workspace.root)}] });
      setInterval(() => {}, 1e6);
      for (const path of ${JSON.stringify(paths)}) void sandbox.write(path, 'new'.repeat(10_000));`);
    for (const _ of paths) expect(await writer.line()).toBe('written');
    return writer;
  }

  it('writes that were not renamed leave the old content, and the next start removes their temporary files', async () => {
    const paths = Array.from({ length: 25 }, (_, index) => `${index}.txt`);
    using workspace = new Workspace(Object.fromEntries(paths.map((path) => [path, 'old'])));
    await using writer = await stopped(workspace, paths);
    await writer.kill();
    expect(readdirSync(workspace.root)).toHaveLength(50);
    await workspace.open().cleanup;
    expect(readdirSync(workspace.root).sort()).toEqual(paths.toSorted());
    for (const path of paths) expect(readFileSync(join(workspace.root, path), 'utf8')).toBe('old');
  });

  it('the temporary files of a running server stay, unless its process id was reused', async (context) => {
    context.skip(!existsSync('/proc/self/stat'), 'The system does not report the start time of a process');
    using workspace = new Workspace();
    await using writer = await stopped(workspace, ['a.txt', 'b.txt']);
    const [first, second] = notesOf(workspace) as [string, string];
    await workspace.open().cleanup;
    expect(readdirSync(workspace.root)).toHaveLength(2);
    renameSync(join(notes, first), join(notes, first.replace(/^(\d+)-\d+-/, '$1-1-')));
    await workspace.open().cleanup;
    expect(readdirSync(workspace.root)).toEqual([second.replace(/^\d+-\d+-/, '')]);
    await writer.kill();
    await workspace.open().cleanup;
    expect(readdirSync(workspace.root)).toEqual([]);
  });

  it('the empty entry of a server that was killed while it wrote it is removed', async () => {
    using workspace = new Workspace({ '.mcp-1-a.tmp': 'not ours' });
    await workspace.open().write('a.txt', '');
    // No process has this id.
    const entry = `${2 ** 31 - 1}-1-.mcp-1-a.tmp`;
    for (const content of ['', workspace.root.slice(0, 5)]) {
      writeFileSync(join(notes, entry), content);
      await workspace.open().cleanup;
      expect(readdirSync(notes)).not.toContain(entry);
    }
    expect(workspace.read('.mcp-1-a.tmp')).toBe('not ours');
  });
});

/** Returns the names of the notes about a workspace. */
function notesOf({ base }: Workspace): string[] {
  return readdirSync(notes).filter((note) => {
    try {
      return readFileSync(join(notes, note), 'utf8').startsWith(base);
    } catch {
      // Another server has removed its note.
      return false;
    }
  });
}
