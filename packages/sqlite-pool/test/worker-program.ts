import { join } from 'node:path';
import { bundledProgram } from '@mcp/test-kit/bundled-program';

/** Takes the place of `src/worker-program.ts` in tests, which start hundreds of these child processes. */
export const workerProgram = [bundledProgram(join(import.meta.dirname, '../src/worker/main.ts'))];
