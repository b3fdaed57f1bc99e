import { Host } from './host.ts';
import type { ViewOptions } from './view-options.ts';

/**
 * Connects a view to its host: the window around it. The functions of the options are there before the host
 * can send anything, so that the first input and result are not lost. Rejects with a `HostError` outside of a
 * frame, and if the host refuses.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 * @example
 * ```ts
 * import { connectView } from '@mcp/views/browser';
 *
 * export async function show(element: { textContent: string }): Promise<void> {
 *   const host = await connectView({
 *     name: 'dial',
 *     version: '1.0.0',
 *     onResult: ({ structuredContent }) => (element.textContent = JSON.stringify(structuredContent)),
 *   });
 *   await host.callTool('refresh');
 * }
 * ```
 */
export function connectView(options: ViewOptions): Promise<Host> {
  return Host.connect(options);
}
