import { execSync } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';

const program = 'dist/main.cjs';

/** Builds the server when its program is older than its sources: some tests start the program. */
export default function buildForTests(): void {
  const built = existsSync(program) ? statSync(program).mtimeMs : 0;
  const sources = globSync(['package.json', '{src,scripts}/**/*.{ts,js}', 'view/**']);
  if (sources.some((file) => statSync(file).mtimeMs > built)) execSync('npm run build', { stdio: 'inherit' });
}
