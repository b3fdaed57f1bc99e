import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { fail } from '../run.ts';
import { registryEntryFile, servers } from '../version/registry-entry.ts';

// Publishes `servers/*/server.json` to the MCP registry: `node release/publish/publish-entries.ts
// [--registry <url>] [--dry-run]`. Runs in a workflow of GitHub that may request an identity token
// (`id-token: write`): the registry lets the owner of the repository use the names `io.github.<owner>/…`. An
// entry that the registry has already is skipped, so that the command can be repeated.

interface Entry {
  readonly name: string;
  readonly version: string;
}

const { values } = parseArgs({
  options: {
    registry: { type: 'string', default: 'https://registry.modelcontextprotocol.io' },
    'dry-run': { type: 'boolean' },
  },
});
const registry = new URL(values.registry).origin;
const entries = servers.map((server) => JSON.parse(readFileSync(registryEntryFile(server), 'utf8')) as Entry);
const known = await Promise.all(entries.map(isPublished));
const waiting = entries.filter((_, index) => !known[index]);
const token = waiting.length > 0 && !values['dry-run'] ? await registryToken() : '';
for (const entry of entries) {
  const { name, version } = entry;
  if (!waiting.includes(entry)) console.log(`${name} ${version}: published before`);
  else if (values['dry-run']) console.log(`${name} ${version}: would be published`);
  else {
    await request(`${registry}/v0/publish`, token, entry);
    console.log(`${name} ${version}: published`);
  }
}

/** Whether the registry has an entry of this version, which it never changes. */
async function isPublished({ name, version }: Entry): Promise<boolean> {
  const response = await send(`${registry}/v0/servers/${encodeURIComponent(name)}/versions/${version}`, {});
  if (response.ok || response.status === 404) return response.ok;
  return await refused(response);
}

/** Exchanges the identity of the workflow, made for this registry alone, for a token of the registry. */
async function registryToken(): Promise<string> {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: own } = process.env;
  if (!url || !own) fail('No identity token; run this in a workflow of GitHub with `id-token: write`');
  const audience = encodeURIComponent(registry);
  const identity = (await request(`${url}&audience=${audience}`, own)) as { value: string };
  const exchange = { oidc_token: identity.value };
  const answer = await request(`${registry}/v0/auth/github-oidc`, undefined, exchange);
  return (answer as { registry_token: string }).registry_token;
}

/**
 * Sends a POST with JSON, or a GET without a body. If the server refuses or does not answer, prints the
 * reason and ends the program.
 */
async function request(url: string, bearer: string | undefined, body?: object): Promise<unknown> {
  const response = await send(url, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return response.ok ? await response.json() : await refused(response);
}

async function send(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    fail(`${new URL(url).origin} does not answer (${reason}); run the command again later`);
  }
}

async function refused(response: Response): Promise<never> {
  const { origin } = new URL(response.url);
  const reason = `${response.status} ${await response.text()}`;
  return fail(`${origin} refuses: ${reason}\nRun the command again when the cause is mended`);
}
