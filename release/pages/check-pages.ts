import { checkServer } from './servers.ts';
import { checkWorkers } from './workers.ts';

/** What checks a page. It gets a directory with the packed packages in `node_modules`. */
const checks: Readonly<Record<string, (unpacked: string) => Promise<void>>> = {
  'deploy/cloudflare-workers.md': checkWorkers,
  'deploy/deno.md': (unpacked) => checkServer('deploy/deno.md', unpacked),
  'deploy/bun.md': (unpacked) => checkServer('deploy/bun.md', unpacked),
};
const atATime = 2;

/**
 * Runs the programs of pages with the packed packages, and the frameworks and runtimes of the registry, two
 * pages at a time. Throws when one does not do what its page says.
 */
export async function checkPages(
  unpacked: string,
  pages: readonly string[] = Object.keys(checks),
): Promise<void> {
  const waiting = [...pages];
  const checkNext = async () => {
    for (let page = waiting.shift(); page !== undefined; page = waiting.shift()) await check(page, unpacked);
  };
  await Promise.all(Array.from({ length: atATime }, checkNext));
}

async function check(page: string, unpacked: string): Promise<void> {
  const began = performance.now();
  try {
    await checks[page]!(unpacked);
  } catch (error) {
    throw new Error(`docs/${page} does not do what it says`, { cause: error });
  }
  console.log(`docs/${page}: runs as it says, ${Math.round((performance.now() - began) / 1000)} s`);
}
