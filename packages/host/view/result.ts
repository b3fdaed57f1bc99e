import { element } from './dom.ts';
import { isObject } from './schema.ts';
import { bytesText, pretty } from './timeline.ts';
import type { Answer, Json } from './types.ts';

/** What a server has answered: time, size, its contents, and its JSON. */
export function answerNode({
  result,
  structuredContent,
  text,
  isError,
  code,
  ms,
  bytes,
}: Answer): HTMLElement {
  const facts = [
    isError ? (code === undefined ? 'the tool failed' : `error ${code}`) : 'ok',
    `${ms.toFixed(1)} ms`,
    bytesText(bytes),
  ];
  const blocks = blocksOf(result);
  return element(
    'section',
    { class: `answer ${isError ? 'failed' : ''}`, 'aria-label': 'Answer' },
    element('p', { class: 'facts' }, ...facts.map((fact) => element('span', {}, fact))),
    ...(blocks.length > 0 ? blocks.map(blockNode) : [textNode(text)]),
    structuredContent !== undefined && json('Structured content', structuredContent, true),
    result !== undefined && json('The whole result', result, false),
  );
}

function blocksOf(result: Json | undefined): readonly Json[] {
  const { content, contents, messages } = result ?? {};
  if (Array.isArray(content)) return content as Json[];
  if (Array.isArray(contents)) return contents.map((resource: Json) => ({ type: 'resource', resource }));
  if (!Array.isArray(messages)) return [];
  return messages.flatMap(({ role, content: each }: Json) => [
    { type: 'role', role },
    ...(Array.isArray(each) ? (each as Json[]) : [each as Json]),
  ]);
}

function blockNode(block: Json): HTMLElement {
  const { type, text, data, mimeType, resource, role } = block;
  if (type === 'role') return element('h3', {}, String(role));
  if (type === 'text') return textNode(String(text));
  const media = isObject(resource)
    ? { data: resource['blob'], type: resource['mimeType'] }
    : { data, type: mimeType };
  if (
    typeof media.data === 'string' &&
    /^image\/(?:png|jpeg|gif|webp|svg\+xml|avif)$/.test(String(media.type))
  )
    return element('img', {
      src: `data:${String(media.type)};base64,${media.data}`,
      alt: 'An image of the result',
    });
  if (typeof media.data === 'string' && String(media.type).startsWith('audio/'))
    return element('audio', { controls: true, src: `data:${String(media.type)};base64,${media.data}` });
  if (isObject(resource) && typeof resource['text'] === 'string')
    return element(
      'div',
      {},
      element('p', { class: 'quiet' }, String(resource['uri'])),
      textNode(resource['text']),
    );
  return json(String(type), block, true);
}

function textNode(text: string): HTMLElement {
  return element('pre', { dir: 'auto', tabindex: 0, role: 'region', 'aria-label': 'Text' }, text);
}

function json(title: string, value: unknown, isOpen: boolean): HTMLElement {
  const body = element('pre', { tabindex: 0, role: 'region', 'aria-label': title });
  const node = element('details', {}, element('summary', {}, title), body);
  // A long result is laid out only when it is opened.
  node.addEventListener('toggle', () => (body.textContent ||= pretty(JSON.stringify(value))));
  node.open = isOpen;
  return node;
}
