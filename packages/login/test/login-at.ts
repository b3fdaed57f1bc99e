import { openPage, submit } from './browser.ts';
import type { OAuthClient } from './oauth-client.ts';

/** Logs in at a listener, whose public origin is that of the browser; returns the code. */
export async function loginAt(client: OAuthClient, origin: string): Promise<string | null> {
  const page = await openPage(new URL(client.page().search, `${origin}/authorize`));
  const { response, html } = await submit(page, { headers: { origin: 'https://notes.example' } });
  return new URL(response.headers.get('location') ?? html).searchParams.get('code');
}
