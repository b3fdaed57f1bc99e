/** SHA-256 in lower-case hexadecimal. `node:crypto` is loaded on first use. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(bytes).digest('hex');
}
