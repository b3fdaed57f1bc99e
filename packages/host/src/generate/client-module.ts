import { commentLines } from './comment.ts';
import { type GeneratedServer, headingOf } from './heading.ts';
import { camelCase, pascalCase, quotedText, uniqueNames } from './names.ts';
import { printZodDefinitions, zodName } from './print-zod.ts';
import { printDefinitions, type ToolTypes, toolTypesOf } from './tool-types.ts';

const imported = ['CallOptions', 'CallToolResult', 'Client'];
/** The type and the functions that the module declares; with zod, a schema is named as its type. */
const declared = ['Content', 'ContentOf', 'StructuredOf'];
/** Names of methods that every object has, and one that would make the client a promise. */
const methodsOfObjects = ['constructor', 'then', ...Object.getOwnPropertyNames(Object.prototype)];

/** A module with a class that has a method for each tool of a server; with `zod`, it checks their values. */
export function clientModule(generated: GeneratedServer, { zod }: { readonly zod: boolean }): string {
  const { server, serverInfo, tools } = generated;
  const claim = uniqueNames([...imported, ...declared]);
  const name = claim(`${pascalCase(server)}Client`);
  const types = toolTypesOf(tools, claim);
  const claimMethod = uniqueNames(methodsOfObjects);
  const schemas = zod ? types.flatMap(({ definitions }) => printZodDefinitions(definitions)) : [];
  const parts = [
    headingOf('mcp generate client', [generated]),
    `import type { ${imported.join(', ')} } from '@mcp/protocol/client';${zod ? zodImport : ''}`,
    ...printDefinitions(types),
    ...schemas,
    [
      ...commentLines(`The tools of ${serverInfo?.name ?? server}. A method rejects if its tool fails.`, ''),
      `export class ${name} {`,
      '  readonly #client: Client;',
      '',
      '  constructor(client: Client) {',
      '    this.#client = client;',
      '  }',
      ...types.flatMap((each) => ['', ...methodOf(each, claimMethod(camelCase(each.tool.name)), zod)]),
      '}',
    ].join('\n'),
    ...helpersFor(types),
  ];
  return `${parts.join('\n\n')}\n`;
}

const zodImport = "\nimport { z } from 'zod';";

function methodOf({ tool, args, hasRequired, result }: ToolTypes, method: string, zod: boolean): string[] {
  const parameter = args === undefined ? '' : `args: ${args}${hasRequired ? '' : ' = {}'}, `;
  const checked = zod && args !== undefined ? `${zodName(args)}.parse(args)` : 'args';
  const given = args === undefined ? '{}' : `{ ...${checked} }`;
  const call = `await this.#client.callTool(${quotedText(tool.name)}, ${given}, options)`;
  const value = result === undefined ? `contentOf(${call})` : `structuredOf(${call})`;
  const type = result ?? 'Content';
  const returned =
    result === undefined ? value : zod ? `${zodName(result)}.parse(${value})` : `${value} as ${type}`;
  return [
    ...commentLines(tool.description ?? tool.title ?? '', '  '),
    `  async ${method}(${parameter}options?: CallOptions): Promise<${type}> {`,
    `    return ${returned};`,
    '  }',
  ];
}

/** The functions that the methods use. */
function helpersFor(types: readonly ToolTypes[]): readonly string[] {
  if (types.length === 0) return [];
  return types.some(({ result }) => result !== undefined) ? [structured, content] : [content];
}

const structured = `function structuredOf(result: CallToolResult): unknown {
  contentOf(result);
  return result.structuredContent;
}`;

const content = `/** The texts, images and files of a result. */
type Content = CallToolResult['content'];

/** Throws an error with the text of the result if the tool has failed. */
function contentOf({ content, isError }: CallToolResult): Content {
  if (isError) throw new Error(content.map((each) => (each.type === 'text' ? each.text : '')).join('\\n'));
  return content;
}`;
