import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkContainers } from './check-containers.ts';
import { checkDockerfiles } from './check-dockerfiles.ts';
import { checkManifests } from './check-manifests.ts';
import { checkNewProjects } from './check-new-projects.ts';
import { checkReproducible } from './check-reproducible.ts';
import { checkBillsOfMaterials } from './check-bills-of-materials.ts';
import { checkTypes } from './check-types.ts';
import { pack, published, repository, unpack } from '../pack/pack.ts';
import { checkRuntimes } from './run-consumers.ts';
import { checkPages } from '../pages/check-pages.ts';

// Packs every published package and checks the tarballs: manifests, types, the same bytes from a second
// build, the bill of materials, consumers in TypeScript, ES modules, CommonJS, Deno, Bun and a worker,
// the programs of pages, the servers without root on a read-only file system, and the projects that
// `npm create` makes. `pnpm packages`; with `ALL_TESTS=1`, copies of the servers run all of their tests,
// which takes minutes.

const base = realpathSync(mkdtempSync(join(tmpdir(), 'release-')));
try {
  checkDockerfiles();
  const tarballs = join(base, 'tarballs');
  const consumer = join(base, 'consumer');
  const again = join(base, 'again');
  mkdirSync(tarballs);
  mkdirSync(again);
  cpSync(join(repository, 'release/check/consumers'), consumer, { recursive: true });
  const packed = published.map((directory) => pack(directory, tarballs));
  await checkManifests(packed);
  checkReproducible(packed, again);
  unpack(packed, consumer);
  await checkBillsOfMaterials(packed, consumer);
  checkTypes(consumer);
  await checkRuntimes(consumer);
  await checkPages(consumer);
  await checkContainers(packed, join(base, 'containers'));
  // Yarn takes a project inside another one for a part of it.
  await checkNewProjects(packed, join(base, 'projects'), process.env['ALL_TESTS'] === '1');
} finally {
  // Programs that a failed check has started may still write.
  rmSync(base, { recursive: true, force: true, maxRetries: 10 });
}
