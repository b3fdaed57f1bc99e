/**
 * Maximum number of characters of an answer. Hosts read this limit to decide whether they show the whole
 * answer to the model.
 */
export const maxResultSize = { 'anthropic/maxResultSizeChars': 40_000 };
