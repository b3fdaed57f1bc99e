import { passphrase } from './protected-notes.ts';

/** What a user does on the page: which form fields differ from those of one who agrees. */
export interface Decision {
  readonly password?: string;
  readonly decision?: 'allow' | 'deny';
  /** Headers in addition to those that a browser sends. */
  readonly headers?: { readonly [name: string]: string };
}

/** A page in a browser that keeps cookies. */
export interface Page {
  readonly response: Response;
  readonly html: string;
  /** The fields of its form. */
  readonly fields: URLSearchParams;
  readonly cookie: string;
}

export async function openPage(url: string | URL, cookie = ''): Promise<Page> {
  return pageOf(await fetch(url, { redirect: 'manual', headers: { cookie } }), cookie);
}

async function pageOf(response: Response, before: string): Promise<Page> {
  const html = await response.text();
  const fields = new URLSearchParams();
  for (const [, name = '', value = ''] of html.matchAll(
    /<input type="hidden" name="([^"]*)" value="([^"]*)"/g,
  ))
    fields.set(unescaped(name), unescaped(value));
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? before;
  return { response, html, fields, cookie };
}

function unescaped(text: string): string {
  const entities = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
  return Object.entries(entities).reduce(
    (all, [entity, character]) => all.replaceAll(entity, character),
    text,
  );
}

/** Sends the form of a page, and returns the next page, or the response with a redirect. */
export async function submit(
  { fields, cookie, response }: Page,
  { password = passphrase, decision = 'allow', headers = {} }: Decision = {},
): Promise<Page> {
  const { origin } = new URL(response.url);
  const body = new URLSearchParams([...fields, ['password', password], ['decision', decision]]);
  const sent = { cookie, origin, 'sec-fetch-site': 'same-origin', ...headers };
  const answer = await fetch(new URL('/authorize', origin), {
    method: 'POST',
    redirect: 'manual',
    headers: sent,
    body,
  });
  return pageOf(answer, cookie);
}

/** A user who opens the page and decides; returns the URL that the browser is sent to. */
export async function login(url: string | URL, decision?: Decision): Promise<URL> {
  const { response, html } = await submit(await openPage(url), decision);
  const location = response.headers.get('location');
  if (location === null) throw new Error(`HTTP ${response.status}: ${html}`);
  return new URL(location);
}
