import { execSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';

/**
 * Builds the server in the current directory when its program is older than its sources: some tests start it.
 */
export default function buildForTests(): void {
  const { bin, scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    bin?: object;
    scripts: { build: string };
  };
  // Turbo builds the server before it runs the tests.
  if (!bin || process.env['TURBO_HASH'] !== undefined) return;
  const built = existsSync('dist/server.cjs') ? statSync('dist/server.cjs').mtimeMs : 0;
  const sources = globSync([
    'package.json',
    '{src,scripts}/**/*.ts',
    'view/**',
    '../../packages/*/src/**/*.ts',
    '../../scripts/bundle{,-page}.ts',
  ]);
  if (sources.every((file) => statSync(file).mtimeMs <= built)) return;
  execSync(scripts.build, { stdio: 'inherit' });
}
