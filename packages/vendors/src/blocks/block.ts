/** The two kinds of blocks, by their tags. */
export const blockTags = ['use_mcp_tool', 'access_mcp_resource'] as const;

export type BlockTag = (typeof blockTags)[number];

/** The parameters of a block; unknown tags in it are ignored. */
export const parameterTags = ['server_name', 'tool_name', 'arguments', 'uri', 'task_progress'] as const;

export type ParameterTag = (typeof parameterTags)[number];

/** A block whose closing tag was read. Values are trimmed; of a repeated parameter the last one counts. */
export interface Block {
  readonly kind: 'block';
  readonly tag: BlockTag;
  /** The characters before it in the stream. */
  readonly offset: number;
  readonly values: Readonly<Partial<Record<ParameterTag, string>>>;
}

/** A block that is not run. */
export interface RefusedBlock {
  readonly kind: 'refused';
  readonly tag: BlockTag;
  readonly offset: number;
  readonly reason: string;
}
