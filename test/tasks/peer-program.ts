import { createRequire } from 'node:module';
import { repository } from '../server-program.ts';

const { resolve } = createRequire(`${repository}bench/package.json`);

/** The file of a peer's package, which `pnpm bench` has installed: peers are not part of the tests. */
export function peerFile(path: string): string {
  try {
    return resolve(path);
  } catch (error) {
    throw new Error(`Cannot find "${path}"; run \`pnpm --dir bench install\``, { cause: error });
  }
}
