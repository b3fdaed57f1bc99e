/** Hosts read this limit (in characters) to decide whether they show the whole answer to the model. */
export const maxResultSize = { 'anthropic/maxResultSizeChars': 40_000 };
