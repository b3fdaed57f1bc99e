import type { Language } from './language.ts';

/** The part of the tree-sitter query that JavaScript and TypeScript share. */
export const javascriptQuery = `
(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(class_declaration name: (_) @name) @class
(method_definition name: (_) @name) @method
(variable_declarator name: (identifier) @name
  value: [(arrow_function) (function_expression) (generator_function)]) @function
(variable_declarator name: (identifier) @name value: (class)) @class
(pair key: (_) @name value: [(arrow_function) (function_expression) (generator_function)]) @method
(assignment_expression left: [(identifier) (member_expression)] @name
  right: [(arrow_function) (function_expression) (generator_function)]) @function
(program (lexical_declaration (variable_declarator name: (identifier) @name) @constant))
(program (variable_declaration (variable_declarator name: (identifier) @name) @variable))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @constant)))
(program (export_statement (variable_declaration (variable_declarator name: (identifier) @name) @variable)))
`;

export const javascript: Language = {
  grammar: 'tree-sitter-javascript.wasm',
  query: `${javascriptQuery}
(field_definition property: (_) @name) @field
`,
};
