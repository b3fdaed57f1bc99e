/** The tags of the two kinds of XML blocks in which a model writes a call as text. */
export const blockTags = ['use_mcp_tool', 'access_mcp_resource'] as const;

export type BlockTag = (typeof blockTags)[number];

/** The known parameters of a block. Other tags inside a block are ignored. */
export const parameterTags = ['server_name', 'tool_name', 'arguments', 'uri', 'task_progress'] as const;

export type ParameterTag = (typeof parameterTags)[number];

/**
 * A complete block. White space around values is removed; if a parameter is repeated, its last value is used.
 */
export interface Block {
  readonly kind: 'block';
  readonly tag: BlockTag;
  /** The number of characters before the block in the stream. */
  readonly offset: number;
  readonly values: Readonly<Partial<Record<ParameterTag, string>>>;
}

/** A block that is not executed, and the reason. */
export interface RefusedBlock {
  readonly kind: 'refused';
  readonly tag: BlockTag;
  readonly offset: number;
  readonly reason: string;
}
