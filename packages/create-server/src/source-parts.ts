/** What the files and folders in `src` of a whole server are, in the order in which to read them. */
export const sourceParts: Readonly<Record<string, string>> = {
  'main.ts': 'the command line: arguments, `--help`, `--version`, `--http`',
  'program.ts': 'the options of the command line',
  'server.ts': 'the whole server: its lists, its instructions for the model, its context',
  'context.ts': 'what every handler gets as `call.context`',
  'tools.ts': 'the list of tools',
  tools: 'one tool per file, and its test: name, arguments, result',
  'resources.ts': 'the list of resources',
  resources: 'what can be read by its URI, listed and subscribed to',
  'prompts.ts': 'the list of prompts',
  prompts: 'what a person selects from a menu',
  input: 'what several definitions do with their arguments: schemas, other names, parsing, completion',
  text: 'what several definitions do with their results: texts, structured content, output schemas',
  optional: 'packages that add to the server where they are installed beside it',
  'sample.ts': 'the sample database, which is opened when no other is named',
  bundle: 'makes a bundle (.mcpb) of the server and a database',
  'allow-commands.ts': 'the command `allow`, by which the operator allows scripts and files',
};
