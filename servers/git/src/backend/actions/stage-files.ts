import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { quoted } from '../display-name.ts';
import { add, hasSubmodules, updateIndex } from '../commands/staging.ts';
import { status } from '../commands/status.ts';
import type { Caller, Repository } from '../repository.ts';

/** Stages files as they are in the work tree, also where that is gone. */
export async function stageFiles(
  repository: Repository,
  paths: readonly string[],
  caller: Caller,
): Promise<void> {
  await repository.change(async () => {
    // To add a submodule git runs itself in there, on configuration that nobody has looked at.
    if (repository.trusted || !(await repository.now(hasSubmodules(paths), caller))) {
      // Git stages what it can of several before it says what it cannot.
      if (paths.length > 1) await repository.now(add(paths, { dryRun: true }), caller);
      return repository.now(add(paths), caller);
    }
    const { top } = await repository.layout();
    const missing = paths.find((path) => !existsSync(join(top, path)));
    const { entries } = await repository.now(status({ paths }), caller);
    if (
      missing !== undefined &&
      !entries.some(({ path }) => path === missing || path.startsWith(`${missing}/`))
    ) {
      throw new Error(`No such file: ${quoted(missing)}`);
    }
    await repository.now(
      updateIndex(entries.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]))),
      caller,
    );
  });
}
