import { messageOf } from '@mcp/kit';
import { revisions } from '@mcp/protocol/client';
import { type Finding, findingsOf } from './finding.ts';
import type { Session } from './session.ts';

const { ok, fault } = findingsOf('revisions');

/**
 * Connects once with each revision, and reports which of them the server speaks. A server that answers the
 * handshake with another revision does not speak the requested one.
 */
export async function checkRevisions(openWith: (revision: string) => Session): Promise<Finding> {
  const outcomes: Record<string, string> = {};
  for (const version of revisions) {
    const session = openWith(version);
    try {
      await session.open();
      const { revision } = session.client;
      outcomes[version] = revision === version ? 'spoken' : `answered with ${revision}`;
    } catch (error) {
      outcomes[version] = messageOf(error).split('\n')[0]!;
    } finally {
      await session.close();
    }
  }
  const spoken = revisions.filter((version) => outcomes[version] === 'spoken');
  if (spoken.length === 0)
    return fault(
      'the server speaks none of the published revisions',
      `answer initialize with one of ${revisions.join(', ')}`,
      { outcomes },
    );
  const others = revisions.filter((version) => !spoken.includes(version));
  const not = others.length === 0 ? '' : `; not ${others.join(', ')}`;
  return ok(`speaks ${spoken.join(', ')}${not}`, { outcomes });
}
