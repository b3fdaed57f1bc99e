import type { ProxyClient, ProxyConversation, ProxySession } from '../../define/proxy/proxy.ts';
import { notificationText } from '../../jsonrpc/message.ts';
import type { Peer } from '../call/active-call.ts';
import type { Outlet } from '../call/outlet.ts';
import type { ConversationLink } from '../call/conversation-link.ts';
import type { Runtime } from '../runtime.ts';
import { askClient } from './ask-client.ts';
import { ProxiedCall } from './proxied-call.ts';

/** Opens the proxy's session for a client that has sent `initialize`; undefined without a proxy. */
export function openSession(
  { proxy }: Runtime,
  peer: Peer,
  outlet: Outlet,
  link: ConversationLink | undefined,
): ProxySession | undefined {
  return proxy?.session(clientOf(peer, outlet, conversationOf(peer, outlet, link)));
}

/** Returns the session for one request in revision 2026-07-28. The messages of the request go to `outlet`. */
export function sessionFor({ proxy }: Runtime, peer: Peer, outlet: Pick<Outlet, 'shared'>): ProxySession {
  if (!proxy) throw new Error('The server is no proxy: `defineProxy` did not make it');
  return proxy.session(clientOf(peer, outlet.shared ? outlet : undefined, undefined));
}

function clientOf(
  { revision, capabilities, principal, info }: Peer,
  connection: object | undefined,
  conversation: ProxyConversation | undefined,
): ProxyClient {
  return {
    revision: revision.version,
    capabilities,
    info,
    principal,
    connection,
    conversation,
  };
}

function conversationOf(peer: Peer, outlet: Outlet, link: ConversationLink | undefined): ProxyConversation {
  return {
    ask(question, { signal, call }) {
      // While the call for which the server asks is open, the client reads the outlet of this call.
      const beside = call instanceof ProxiedCall && call.call.open ? call.call.outlet : undefined;
      const send = (text: string) =>
        beside ? sendWhenConnected(beside, text) : sendWhenConnected(outlet, text, link);
      return askClient(peer, question, send, signal);
    },
    notify(method, params) {
      outlet.notify(notificationText(method, params));
    },
  };
}

/**
 * Sends a request once `outlet` has a connection, which an HTTP client opens only after the handshake, or has
 * another process send it, where the client has opened it.
 */
function sendWhenConnected(outlet: Outlet, text: string, link?: ConversationLink): void {
  if (!outlet.congested) return outlet.notify(text);
  let isSent = false;
  const stop = link?.send(text, () => (isSent = true));
  void outlet.drained().then(() => {
    stop?.();
    if (!isSent) outlet.notify(text);
  });
}
