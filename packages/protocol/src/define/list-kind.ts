/** A list of a server that may change. */
export type ListKind = 'tools' | 'resources' | 'prompts';
