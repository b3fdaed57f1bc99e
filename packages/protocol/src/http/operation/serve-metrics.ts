import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenAt } from '../adapters/listen.ts';
import { NodeRequest } from '../adapters/node.ts';
import { guard, isLoopback } from '../security/host-and-origin.ts';
import { type Gauges, Metrics } from './metrics.ts';

/** Where metrics are served, without authentication. */
export interface MetricsAddress {
  /** The port; 0 is any free one. */
  readonly port: number;
  /** The address to listen on. Default: `127.0.0.1`. Who can connect can read the metrics. */
  readonly host?: string;
}

export interface MetricsListener {
  readonly url: string;
  close(): void;
}

/** Serves metrics at `/metrics` with `listener`. Rejects if the address cannot be listened on. */
export async function serveMetrics(
  listener: HttpServer,
  metrics: Metrics,
  { host = '127.0.0.1', port }: MetricsAddress,
  gauges: () => Gauges,
): Promise<MetricsListener> {
  listener.on('request', (request, response) => {
    const asked = new NodeRequest(request, response);
    // On the loopback, a web page must not read them by DNS rebinding.
    const refusal = guard(asked, isLoopback(host) ? {} : { allowedHosts: 'any' });
    const isRead = asked.method === 'GET' || asked.method === 'HEAD';
    if (refusal || asked.path !== '/metrics' || !isRead)
      return void response.writeHead(refusal?.status ?? (isRead ? 404 : 405)).end();
    const text = metrics.text(gauges());
    response.writeHead(200, { 'content-type': Metrics.contentType, 'cache-control': 'no-store' });
    response.end(asked.method === 'GET' ? text : undefined);
  });
  // Prometheus needs one connection. Others must not take those of the endpoint.
  listener.maxConnections = 20;
  const leave = await listenAt(listener, { host, port });
  const bound = (listener.address() as AddressInfo).port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}/metrics`,
    close: () => {
      leave(() => listener.close());
      listener.closeAllConnections();
    },
  };
}
