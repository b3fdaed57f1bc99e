import type { Channel, Connector } from '@mcp/protocol/client';

/** A message between a client and a server. */
export interface WireMessage {
  /** The name of the server in the configuration. */
  readonly server: string;
  /** The number of the connection, from 1, in the order in which they were opened. */
  readonly connection: number;
  readonly from: 'client' | 'server';
  /** The message as it was sent: JSON, unless the server is faulty. */
  readonly text: string;
}

export type OnMessage = (message: WireMessage) => void;

let connections = 0;

/** Opens the same channels, and calls `onMessage` with each of their messages. */
export function observedConnector(connector: Connector, server: string, onMessage: OnMessage): Connector {
  const observed = (channel: Channel) => observedChannel(channel, server, onMessage);
  return {
    ...connector,
    open: () => observed(connector.open()),
    ...(connector.openFallback && { openFallback: () => observed(connector.openFallback!()) }),
  };
}

function observedChannel(channel: Channel, server: string, onMessage: OnMessage): Channel {
  const connection = ++connections;
  const told = (from: WireMessage['from'], text: string) => onMessage({ server, connection, from, text });
  return {
    ...(channel.http !== undefined && { http: channel.http }),
    get congested() {
      return channel.congested;
    },
    get route() {
      return channel.route!;
    },
    open: (receiver) =>
      channel.open({
        message(text, value) {
          told('server', text);
          receiver.message(text, value);
        },
        malformed: (error) => receiver.malformed(error),
        failed: (id, error) => receiver.failed?.(id, error),
        held: (id, until) => receiver.held?.(id, until),
        missed: () => receiver.missed?.(),
        retired: (reason) => receiver.retired?.(reason),
        ended: (reason) => receiver.ended(reason),
      }),
    send(text, envelope) {
      told('client', text);
      channel.send(text, envelope);
    },
    drained: () => channel.drained(),
    hold: (held) => channel.hold(held),
    close: () => channel.close(),
  };
}
