import { messageOf } from '@mcp/kit';
import type { JsonObject } from '../../jsonrpc/message.ts';
import { JsonValidator } from '../../schema/json-validator/json-validator.ts';
import { type MirroredArgument, mirroredArguments } from '../../schema/mirrored-headers.ts';
import type { CallToolResult, ListedTool } from '../results/results.ts';

interface KnownTool {
  readonly mirrored: readonly MirroredArgument[];
  readonly outputSchema: JsonObject | undefined;
  output?: JsonValidator;
}

/** The listed tools: their output schemas, and the arguments that calls must also send as HTTP headers. */
export class ToolCatalog {
  readonly #tools = new Map<string, KnownTool>();

  /** Adds and returns a page of tools. If `http` is true, omits tools whose `x-mcp-header` is invalid. */
  take(tools: readonly ListedTool[], http: boolean, warn: (message: string) => void): readonly ListedTool[] {
    return tools.filter((tool) => {
      const { name, inputSchema, outputSchema } = tool;
      let mirrored: readonly MirroredArgument[] = [];
      try {
        if (http) mirrored = mirroredArguments(inputSchema);
      } catch (error) {
        warn(`The tool ${JSON.stringify(name)} is omitted: ${messageOf(error)}`);
        this.#tools.delete(name);
        return false;
      }
      this.#tools.set(name, { mirrored, outputSchema });
      return true;
    });
  }

  /** The arguments of a tool that calls must also send as HTTP headers (`x-mcp-header`). */
  mirrored(name: string): readonly MirroredArgument[] {
    return this.#tools.get(name)?.mirrored ?? [];
  }

  /**
   * Describes how structured content differs from the tool's `outputSchema`; undefined if it matches.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#output-schema
   */
  wrongOutput(name: string, { structuredContent, isError }: CallToolResult): string | undefined {
    const tool = this.#tools.get(name);
    if (!tool?.outputSchema || isError) return undefined;
    if (structuredContent === undefined) {
      return `the tool "${name}" has an outputSchema and returned no structuredContent`;
    }
    tool.output ??= new JsonValidator(tool.outputSchema);
    const { unsupported } = tool.output;
    if (unsupported !== undefined) return `the outputSchema of the tool "${name}" has an ${unsupported}`;
    const wrong = tool.output.check(structuredContent);
    return wrong && `the structuredContent of "${name}" does not match its outputSchema: ${wrong}`;
  }

  clear(): void {
    this.#tools.clear();
  }
}
