/** What a caller is told of a tool that is there, and is withheld. */
export function withheldText(server: string, tool: string): string {
  return `The tool "${tool}" of "${server}" is new or has changed since its tools were accepted, and is withheld; mcp trust ${server} shows the change`;
}
