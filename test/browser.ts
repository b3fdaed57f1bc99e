/**
 * A user with a browser: follows redirects, keeps cookies, and submits every form with a name and a password.
 */
export async function browse(start: URL, maxPages = 20): Promise<void> {
  const cookies = new Map<string, string>();
  let [url, form]: [URL, URLSearchParams | undefined] = [start, undefined];
  for (let page = 0; page < maxPages; page++) {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form && { method: 'POST', body: form }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';')[0]?.split('=') ?? [];
      cookies.set(name, value);
    }
    const html = await response.text();
    const location = response.headers.get('location');
    if (location !== null) {
      [url, form] = [new URL(location, url), undefined];
      continue;
    }
    const action = /<form[^>]* action="([^"]+)"/.exec(html)?.[1];
    if (action === undefined) {
      if (response.ok) return;
      throw new Error(`"${url.href}" answers with HTTP ${response.status}: ${html.slice(0, 500)}`);
    }
    const hidden = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    form = new URLSearchParams();
    for (const [, name = '', value = ''] of hidden) form.set(name, value);
    form.set('login', 'alice');
    form.set('password', 'any');
    url = new URL(action, url);
  }
  throw new Error(`More than ${maxPages} pages from "${start.href}"`);
}
