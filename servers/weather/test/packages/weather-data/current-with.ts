import type { Behaviour } from '../../upstream.ts';
import { callTool, Workspace, type WorkspaceOptions } from '../../workspace.ts';

/** Calls `current` while the upstream behaves as given, and returns its answer and the number of requests. */
export async function currentWith(behaviours: readonly Behaviour[], options: WorkspaceOptions = {}) {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect(options);
  workspace.upstream.next(...behaviours);
  const answer = await callTool(client, 'current', { place: '52.52,13.41' });
  return {
    ...answer,
    text: answer.text.replaceAll(workspace.upstream.url.host, 'HOST'),
    asked: workspace.upstream.requests.length,
    waits: workspace.clock.waits,
  };
}
