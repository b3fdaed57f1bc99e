import type { Language } from './language.ts';

export const python: Language = {
  grammar: 'tree-sitter-python.wasm',
  query: `
(class_definition name: (_) @name) @class
(class_definition body: (block (function_definition name: (_) @name) @method))
(class_definition body: (block (decorated_definition (function_definition name: (_) @name) @method)))
(function_definition name: (_) @name) @function
(module (expression_statement (assignment left: (identifier) @name) @variable))
`,
};
