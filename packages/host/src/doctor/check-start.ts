import { type Finding, findingsOf } from './finding.ts';
import type { Session } from './session.ts';

const { ok, warning } = findingsOf('start');

const slowMs = 5_000;

/**
 * Reports how long two starts took. The first may be slower, because it may have to load files from the disk
 * and to negotiate the revision.
 */
export function checkStart(first: Session, second: Session): Finding {
  const [firstMs, secondMs] = [first, second].map(({ startMs }) => Math.round(startMs)) as [number, number];
  const what = first.spawned === undefined ? 'connected' : 'started and answered the handshake';
  const message = `${what} in ${firstMs} ms, the second time in ${secondMs} ms`;
  const data = { firstMs, secondMs };
  return secondMs > slowMs
    ? warning(
        `${message}; hosts wait this long at each start`,
        'answer the handshake first, and load what is slow at the first call; a package that npx or uvx installs starts faster installed',
        data,
      )
    : ok(message, data);
}
