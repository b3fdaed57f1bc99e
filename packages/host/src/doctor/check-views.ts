import { messageOf } from '@mcp/kit';
import { viewMimeType } from '@mcp/views';
import { readList } from '../servers/lists.ts';
import { viewUriOf } from '../view-of-tool.ts';
import { type Finding, findingsOf } from './finding.ts';
import type { Session } from './session.ts';

const { ok, warning, fault } = findingsOf('views');

/** A view above this size is slow to show, because it is read as a whole. */
const maxBytes = 1_000_000;

/** Reads the view of each tool, as a host does that shows views. Nothing is reported without views. */
export async function checkViews({ client, entry }: Session): Promise<Finding[]> {
  if (client.capabilities.tools === undefined) return [];
  const tools = await readList(client, entry, 'tools', {});
  const views = new Map<string, string[]>();
  for (const tool of tools) {
    const uri = viewUriOf(tool);
    if (uri !== undefined) views.set(uri, [...(views.get(uri) ?? []), tool.name]);
  }
  const findings = await Promise.all(
    Array.from(views, async ([uri, names]) => {
      const of = `the view ${uri} of ${names.join(', ')}`;
      try {
        return viewFinding(of, (await client.readResource(uri)).contents);
      } catch (error) {
        const mend = 'serve a resource with this URI, or correct "resourceUri" of the tool';
        return fault(`${of} cannot be read: ${messageOf(error)}`, mend);
      }
    }),
  );
  return findings;
}

type Content = { readonly mimeType?: string; readonly text?: string; readonly blob?: string };

function viewFinding(of: string, [content]: readonly object[]): Finding {
  const { mimeType, text, blob }: Content = content ?? {};
  if (mimeType !== viewMimeType)
    return fault(
      `${of} has the type ${JSON.stringify(mimeType)}`,
      `serve it with the MIME type "${viewMimeType}"`,
    );
  const html = text ?? Buffer.from(blob ?? '', 'base64').toString('utf8');
  const bytes = Buffer.byteLength(html);
  if (!/<(?:!doctype html|html|head|body|title|script)\b/i.test(html))
    return fault(`${of} is no HTML document`, 'serve a whole document, which begins with <!doctype html>');
  const message = `${of} has ${bytes} bytes`;
  return bytes > maxBytes
    ? warning(message, 'make it smaller: a host reads it as a whole before it shows anything', { bytes })
    : ok(message, { bytes });
}
