import { viewUriOf } from '../../src/view-of-tool.ts';
import { send } from '../api.ts';
import { trouble } from '../dom.ts';
import type { ShownView } from '../../src/inspect/shown.ts';
import type { Json, Opened } from '../types.ts';
import { ViewPart } from './view-part.ts';

/** Shows the view of a tool in `place`, for a call with these arguments; undefined if it has none. */
export async function openView(
  { server, tool, version }: { server: string; tool: Opened['tools'][number]; version: string },
  args: Json,
  place: HTMLElement,
): Promise<ViewPart | undefined> {
  const uri = viewUriOf(tool);
  if (uri === undefined) return undefined;
  try {
    const shown = await send<ShownView | null>({ do: 'view', server, uri });
    return shown ? new ViewPart({ server, tool, shown, args, version }, place) : undefined;
  } catch (error) {
    place.append(trouble(error));
    return undefined;
  }
}
