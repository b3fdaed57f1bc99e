import { lookup } from 'node:dns';
import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { isNarrower, type Reach, reachOf } from '@mcp/kit/node';
import type { Fetch } from '@mcp/protocol/client';

/** Statuses of responses without a body. */
const bodiless = new Set([204, 205, 304]);

/**
 * Makes a `fetch` for GET that connects only to addresses with at least this reach. The address that a name
 * resolved to is the one that is connected to: a name cannot lead elsewhere in between (DNS rebinding).
 */
export function guardedFetch(reach: Reach): Fetch {
  return ({ url, headers, signal }) =>
    new Promise((resolve, reject) => {
      const get = url.startsWith('https:') ? getHttps : getHttp;
      const options = { headers: Object.fromEntries(headers), signal, agent: false, lookup: lookupOf(reach) };
      const request = get(url, options, (response) => {
        const { statusCode: status = 0 } = response;
        if (bodiless.has(status)) response.resume();
        const body = bodiless.has(status) ? null : (Readable.toWeb(response) as ReadableStream<Uint8Array>);
        const { location, 'content-type': type = '' } = response.headers;
        resolve(
          new Response(body, {
            status,
            headers: { 'content-type': type, ...(location !== undefined && { location }) },
          }),
        );
      });
      request.on('error', reject);
    });
}

function lookupOf(reach: Reach): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
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
