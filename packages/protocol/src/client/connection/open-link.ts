import type { Channel, Connector } from '../../jsonrpc/channel.ts';
import type { Revision } from '../../revisions/revision.ts';
import { discover, initialize, initializeOrDiscover, isFinal, probe, revisionOf } from './handshake.ts';
import { freshNegotiation, type Negotiation, type NegotiationCache } from './negotiation-cache.ts';
import { type Agreement, Link, type LinkOwner } from './link.ts';

export interface Opening {
  readonly connector: Connector;
  /** Whether the connector can be opened more than once. */
  readonly reopens: boolean;
  readonly owner: LinkOwner;
  /** The revision to speak; undefined for the newest that both sides have. */
  readonly revision: string | undefined;
  readonly probeTimeoutMs: number;
  readonly negotiations: NegotiationCache;
}

/** Opens a link and agrees on a revision. A link that fails is closed. */
export async function openLink(opening: Opening): Promise<Link> {
  const { connector, revision: version, negotiations } = opening;
  if (version !== undefined) {
    const revision = revisionOf(version);
    if (revision.stateless)
      return finish(
        newLink(() => connector.open(), opening.owner),
        discover,
      );
    return (await linkByHandshake(opening, revision)).link;
  }
  const known = freshNegotiation(negotiations, connector.name);
  if (known && known.opening !== 'stateless') {
    const link = await reopen(opening, known).catch((error: unknown) => {
      if (isFinal(error) || opening.owner.closing.aborted) throw error;
      return undefined;
    });
    if (link) return link;
    negotiations.delete(connector.name);
  }
  return probeAndOpen(opening);
}

/** Opens a link with the handshake that an earlier connection has stored. */
async function reopen({ connector, owner }: Opening, { opening: how }: Negotiation): Promise<Link> {
  const open = () => (how === 'fallback' ? connector.openFallback?.() : undefined) ?? connector.open();
  return finish(newLink(open, owner), initialize);
}

async function probeAndOpen(opening: Opening): Promise<Link> {
  const { connector, negotiations } = opening;
  const decide = (how: Negotiation['opening']) =>
    negotiations.set(connector.name, { opening: how, at: Date.now() });
  const probing = newLink(() => connector.open(), opening.owner);
  let agreement: Agreement | undefined;
  try {
    agreement = await probe(probing, opening.probeTimeoutMs);
    if (agreement) {
      probing.agreed(agreement);
      decide('stateless');
      return probing;
    }
  } catch (error) {
    await probing.close();
    throw error;
  }
  if (probing.ended.aborted && !opening.reopens) throw probing.ended.reason;
  opening.owner.closing.throwIfAborted();
  // Some servers exit on an unknown first message; `initialize` is then sent to a new process.
  const { link, fallback } = await linkByHandshake(
    opening,
    undefined,
    probing.ended.aborted ? undefined : probing,
  );
  if (link.agreement.revision.stateless) decide('stateless');
  else decide(fallback ? 'fallback' : 'handshake');
  return link;
}

/**
 * Opens a link with `initialize`. If the server refuses the POST request of `initialize` with 400, 404 or
 * 405, opens the link over HTTP+SSE.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#backwards-compatibility
 */
async function linkByHandshake(
  opening: Opening,
  revision: Revision | undefined,
  begun?: Link,
): Promise<{ link: Link; fallback: boolean }> {
  const { connector, owner } = opening;
  const shake = (link: Link) =>
    revision === undefined ? initializeOrDiscover(link) : initialize(link, revision);
  try {
    return { link: await finish(begun ?? newLink(() => connector.open(), owner), shake), fallback: false };
  } catch (error) {
    if (!connector.openFallback || !isUnknownTransport(error)) throw error;
    const open = () => connector.openFallback?.() ?? connector.open();
    const link = await finish(newLink(open, owner), shake).catch(() => undefined);
    if (!link) throw error;
    return { link, fallback: true };
  }
}

function isUnknownTransport(error: unknown): boolean {
  return error instanceof Error && 'status' in error && [400, 404, 405].includes(Number(error.status));
}

/** Opens a channel. What arrives over it belongs to no request of the caller. */
function newLink(open: () => Channel, owner: LinkOwner): Link {
  const make = () => new Link(open(), owner);
  return owner.observer ? owner.observer.apart(make) : make();
}

/** Agrees on a revision over an open link. Closes the link if there is no agreement. */
async function finish(link: Link, shake: (link: Link) => Promise<Agreement>): Promise<Link> {
  try {
    link.agreed(await shake(link));
    return link;
  } catch (error) {
    await link.close();
    throw error;
  }
}
