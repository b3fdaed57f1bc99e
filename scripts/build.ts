import { turbo } from './turbo.ts';

// Builds `dist/` of every package whose sources have changed. `pnpm build`

console.log('Building the packages (about 10 seconds the first time)');
const { failed, output } = await turbo('build', '--output-logs=errors-only');
if (failed) console.error(output);
process.exitCode = failed ? 1 : 0;
