import { quoted } from '@mcp/kit';
import type { Route } from '@mcp/protocol/http';
import { namesGrant, revokeToken } from '../grants/grants.ts';
import type { LoginContext } from './login-context.ts';
import { jsonReply, postRoute } from './oauth-error.ts';
import { formOf, needed } from './parameters.ts';

/** Ends the access of the client that has a token: RFC 7009. An unknown token is no error. */
export function revokeRoute({ file, event }: LoginContext): Route {
  return postRoute(async (request) => {
    const form = await formOf(request);
    const [token, clientId] = [needed(form, 'token'), needed(form, 'client_id')];
    const isKnown = namesGrant(await file.read(), token);
    const grant = isKnown && (await file.change((state) => revokeToken(state, token, clientId)));
    if (grant) event(`The client ${quoted(grant.client.name, 100)} gave up its access`);
    return jsonReply(200, {});
  });
}
