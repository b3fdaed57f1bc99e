const bytesPerToken = 4;

/** A quarter of the UTF-8 bytes, for English and JSON within a third of what tokenizers count. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}
