import { checkContainer } from './container.ts';
import { checkLambda } from './lambda.ts';
import { checkNest, checkNext, checkServer } from './servers.ts';
import { checkWorkers } from './workers.ts';

/** Checks a page with the packed packages in `<unpacked>/node_modules`. Returns why it cannot, if so. */
type Check = (unpacked: string) => Promise<string | void>;

/** The checks of the pages, the longest first. */
const checks: Readonly<Record<string, Check>> = {
  'frameworks/next.md': checkNext,
  'deploy/cloudflare-workers.md': checkWorkers,
  'frameworks/nest.md': checkNest,
  'deploy/aws-lambda.md': checkLambda,
  'deploy/container.md': checkContainer,
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
  const unknown = pages.find((page) => !Object.hasOwn(checks, page));
  if (unknown) throw new Error(`No check of "${unknown}"; expected ${Object.keys(checks).join(', ')}`);
  const waiting = [...pages];
  const checkNext = async () => {
    for (let page = waiting.shift(); page !== undefined; page = waiting.shift()) await check(page, unpacked);
  };
  // A check that fails must not leave the programs of another one behind.
  const ends = await Promise.allSettled(Array.from({ length: atATime }, checkNext));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

async function check(page: string, unpacked: string): Promise<void> {
  const began = performance.now();
  try {
    const reason = await checks[page]!(unpacked);
    const time = `${Math.round((performance.now() - began) / 1000)} s`;
    console.log(
      reason ? `Skipped: docs/${page}, because ${reason}` : `docs/${page}: runs as it says, ${time}`,
    );
  } catch (error) {
    throw new Error(`docs/${page} does not do what it says`, { cause: error });
  }
}
