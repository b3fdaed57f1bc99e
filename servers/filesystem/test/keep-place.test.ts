import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

test('an allowed directory cannot be the keep directory, whatever its mode', async () => {
  using workspace = new Workspace();
  for (const directory of [workspace.root, join(workspace.root, 'sub')]) {
    mkdirSync(directory, { recursive: true, mode: 0o755 });
    await expect(workspace.connect({ keep: { directory } })).rejects.toThrow(
      'must be outside the allowed directories',
    );
  }
});
