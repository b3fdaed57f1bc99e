import { lookup } from 'node:dns';
import { get as getHttp, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { isNarrower, type Reach, reachOf } from '@mcp/kit/node';
import type { Fetch } from '@mcp/protocol/client';

/**
 * The names that are resolved at the same time. A lookup cannot be aborted: while a name server does not
 * answer, it goes on after its request was given up, in a thread that all of the process need.
 */
const maxLookups = 5;

/** Statuses of responses without a body. */
const bodiless = new Set([204, 205, 304]);

/**
 * Makes a `fetch` for GET that connects only to addresses with at least this reach. The address that a name
 * resolved to is the one that is connected to: a name cannot lead elsewhere in between (DNS rebinding).
 */
export function guardedFetch(reach: Reach, resolveName = lookup): Fetch {
  const guarded = lookupOf(reach, resolveName);
  return ({ url, headers, signal }) =>
    new Promise((resolve, reject) => {
      const get = url.startsWith('https:') ? getHttps : getHttp;
      const options = { headers: Object.fromEntries(headers), signal, agent: false, lookup: guarded };
      const request = get(url, options, (message) => {
        try {
          resolve(responseOf(message));
        } catch (error) {
          // An error that is thrown here would end the process.
          message.destroy();
          reject(error as Error);
        }
      });
      request.on('error', reject);
    });
}

function responseOf(message: IncomingMessage): Response {
  const { statusCode: status = 0 } = message;
  if (status < 200 || status > 599)
    throw new Error(`the site answers with HTTP ${status}, which is not a valid status`);
  if (bodiless.has(status)) message.resume();
  const body = bodiless.has(status) ? null : (Readable.toWeb(message) as ReadableStream<Uint8Array>);
  const { location, 'content-type': type = '' } = message.headers;
  return new Response(body, {
    status,
    headers: { 'content-type': type, ...(location !== undefined && { location }) },
  });
}

function lookupOf(reach: Reach, resolveName: typeof lookup): LookupFunction {
  let running = 0;
  return (hostname, options, callback) => {
    if (running >= maxLookups) return callback(new Error('Too many names are being resolved'), '');
    running++;
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      running--;
      if (error) return callback(error, '');
      const narrow = addresses.find(({ address }) => isNarrower(reachOf(address), reach));
      if (narrow)
        return callback(
          new Error(`"${hostname}" has the address ${narrow.address}, which is not ${reach}`),
          '',
        );
      const [first] = addresses;
      if (options.all) callback(null, addresses);
      else callback(null, first?.address ?? '', first?.family);
    });
  };
}
