import { randomBytes } from 'node:crypto';
import type { ReadView } from './read-view.ts';
import type { ShownView } from './shown.ts';
import { allowedFeatures, refusedOrigins, viewPolicy } from './view-policy.ts';

/** Maximum number of frames that wait for the page. */
const maxWaiting = 20;

/**
 * The frames of views. Each is a document on another host than the page, so that it has another origin, no
 * cookie and a process of its own. In it is the frame of the view, which has an origin that no other has.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */
export class ViewFrames {
  readonly #waiting = new Map<string, ReadView>();

  add(view: ReadView): ShownView {
    const path = `/view/${randomBytes(24).toString('base64url')}`;
    this.#waiting.set(path, view);
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > maxWaiting) this.#waiting.delete(oldest!);
    const { csp, permissions, prefersBorder } = view;
    return { path, allow: allowedFeatures(permissions), prefersBorder, notes: refusedOrigins(csp) };
  }

  /** The frame of a path for the page at an origin, with its policy; undefined the second time. */
  take(path: string, page: string): { readonly html: string; readonly policy: string } | undefined {
    const view = this.#waiting.get(path);
    this.#waiting.delete(path);
    return view && { html: frameOf(view, page), policy: viewPolicy(view.csp, page) };
  }
}

/** A document that takes messages from the page to the view and back; the view inherits its policy. */
function frameOf({ html, permissions }: ReadView, page: string): string {
  return `<!doctype html>
<meta charset="utf-8">
<title>A view</title>
<style>html, body, iframe { display: block; width: 100%; height: 100%; margin: 0; border: 0 }</style>
<script>
addEventListener('message', ({ source, origin, data }) => {
  const view = frames[0];
  if (source === parent && origin === ${JSON.stringify(page)}) view.postMessage(data, '*');
  else if (source === view) parent.postMessage(data, ${JSON.stringify(page)});
});
</script>
<iframe title="The view" sandbox="allow-scripts" allow="${allowedFeatures(permissions)}" srcdoc="${quoted(html)}"></iframe>
`;
}

function quoted(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
