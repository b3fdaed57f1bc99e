import type { Call, Tool } from '@mcp/protocol';
import { NotFoundError } from '../backend/errors.ts';
import type { Git } from '../context.ts';

/** The same tools; the error for a name that does not exist names the nearest. */
export function nameNearest(tools: readonly Tool<Git>[]): Tool<Git>[] {
  return tools.map((tool) => {
    const run = async (args: { readonly repo_path?: string }, context: Git, call: Call) => {
      try {
        return await tool.run(args, context, call);
      } catch (error) {
        if (!(error instanceof NotFoundError) || !error.missing) throw error;
        const { withNearestNames } = await import('../backend/queries/nearest-names.ts');
        throw await withNearestNames(context.repositories.at(args.repo_path), error, call);
      }
    };
    return Object.create(tool, { run: { value: run } }) as Tool<Git>;
  });
}
