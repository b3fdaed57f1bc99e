import { javascriptQuery } from './javascript.ts';
import type { Language } from './language.ts';

const query = `${javascriptQuery}
(function_signature name: (_) @name) @function
(abstract_class_declaration name: (_) @name) @class
(abstract_method_signature name: (_) @name) @method
(class_body (method_signature name: (_) @name) @method)
(public_field_definition name: (_) @name) @field
(interface_declaration name: (_) @name) @interface
(interface_body (method_signature name: (_) @name) @method)
(interface_body (property_signature name: (_) @name) @property)
(type_alias_declaration name: (_) @name) @type
(enum_declaration name: (_) @name) @enum
(internal_module name: (_) @name) @namespace
(module name: (_) @name) @module
(ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @name) @constant))
`;

export const typescript: Language = { grammar: 'tree-sitter-typescript.wasm', query };
export const tsx: Language = { grammar: 'tree-sitter-tsx.wasm', query };
