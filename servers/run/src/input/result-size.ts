/** The most characters of an answer, by which hosts decide whether they keep it whole. */
export const maxResultSize = { 'anthropic/maxResultSizeChars': 40_000 };
