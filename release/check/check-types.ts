import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repository } from '../pack/pack.ts';

const lib = ['es2024', 'esnext.disposable'];

/** How consumers resolve modules, with the files that can be compiled so. */
const modes = [
  { module: 'nodenext', moduleResolution: 'nodenext', files: ['types.mts', 'types.cts'] },
  { module: 'node16', moduleResolution: 'node16', files: ['types.mts', 'types.cts', 'typed-server.cts'] },
  { module: 'esnext', moduleResolution: 'bundler', files: ['types.mts'] },
  { module: 'esnext', moduleResolution: 'bundler', files: ['view-page.mts'], lib: [...lib, 'dom'] },
];

/** The dependencies of packages that their declarations need. */
const neededByDeclarations = [
  ['sqlite-pool', '@types/better-sqlite3'],
  ['redis', '@redis/client'],
] as const;

/**
 * Compiles the programs in TypeScript that use the packages, and checks the declarations of the packages too.
 * Writes the compiled server in CommonJS, which a later check runs. Throws on an error.
 */
export function checkTypes(consumer: string): void {
  const types = join(consumer, 'node_modules/@types');
  mkdirSync(types, { recursive: true });
  symlinkSync(join(repository, 'node_modules/@types/node'), join(types, 'node'), 'junction');
  for (const [owner, dependency] of neededByDeclarations) {
    const link = join(consumer, 'node_modules', dependency);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(repository, 'packages', owner, 'node_modules', dependency), link, 'junction');
  }
  for (const { files, ...mode } of modes) {
    const compilerOptions = {
      target: 'es2023',
      lib,
      ...mode,
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: !files.includes('typed-server.cts'),
      skipLibCheck: false,
    };
    writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    execFileSync(join(repository, 'node_modules/.bin/tsc'), ['-p', consumer], { stdio: 'inherit' });
    console.log(`Types: ${files.join(' and ')} compile with "module": "${mode.module}"`);
  }
}
