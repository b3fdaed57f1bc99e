import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderOf, libraries } from './libraries.ts';
import { installedOf, startRatios } from './measure-library.ts';
import { type Results, resultsFile } from './results.ts';
import { tryServer } from './try-server.ts';

// Runs the to-do server of each library, and writes what came out into results.json, from which
// `node docs/side-by-side.ts` writes the page. It needs `pnpm --dir bench install` and
// `pnpm --dir bench/side-by-side install`.

const folder = import.meta.dirname;
execFileSync(join(folder, '../../node_modules/.bin/tsc'), ['--project', folder], { stdio: 'inherit' });
for (const library of libraries) {
  if (library.build)
    execFileSync(process.execPath, [...library.build], {
      cwd: folderOf(library),
      stdio: 'inherit',
      env: { ...process.env, XMCP_TELEMETRY_DISABLED: 'true' },
    });
}
const starts = await startRatios(libraries, 21);
const entries: [string, Results['libraries'][string]][] = [];
for (const library of libraries) {
  console.log(`Trying ${library.name}`);
  entries.push([
    library.folder,
    { ...installedOf(library), start: starts.get(library)!, trials: await tryServer(library) },
  ]);
}
const results: Results = {
  date: new Date().toISOString().slice(0, 10),
  node: process.version,
  libraries: Object.fromEntries(entries),
};
writeFileSync(resultsFile, `${JSON.stringify(results, null, 2)}\n`);
