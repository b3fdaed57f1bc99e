import { protocolVersions } from '@mcp/protocol/client';
import { type Finding, findingsOf, messageOf } from './finding.ts';
import type { Session } from './session.ts';

const { ok, fault } = findingsOf('revisions');

/**
 * Connects once with each revision. A server may answer the older handshake with another
 * revision than requested.
 */
export async function checkRevisions(openWith: (protocolVersion: string) => Session): Promise<Finding> {
  const outcomes: Record<string, string> = {};
  for (const version of protocolVersions) {
    const session = openWith(version);
    try {
      await session.open();
      const { protocolVersion } = session.client;
      outcomes[version] = protocolVersion === version ? 'spoken' : `answered with ${protocolVersion}`;
    } catch (error) {
      outcomes[version] = messageOf(error).split('\n')[0]!;
    } finally {
      await session.close();
    }
  }
  const spoken = protocolVersions.filter((version) => outcomes[version] === 'spoken');
  if (spoken.length === 0) return fault('none of the published revisions is spoken', { outcomes });
  const others = protocolVersions.filter((version) => !spoken.includes(version));
  const not = others.length === 0 ? '' : `; not ${others.join(', ')}`;
  return ok(`speaks ${spoken.join(', ')}${not}`, { outcomes });
}
