import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** What a token is for. It is part of the token, so that one kind is never taken for another. */
export type TokenKind = 'code' | 'access' | 'refresh';

const syntax = /^mcp-(code|access|refresh)\.([\w-]{22})\.[\w-]{43}$/;

/** A random token of a grant. Its parts: the kind, the id of the grant, 256 random bits. */
export function newToken(kind: TokenKind, grant: string): string {
  return `mcp-${kind}.${grant}.${randomBytes(32).toString('base64url')}`;
}

/** The refresh token that follows another: always the same, though only who has the other can compute it. */
export function nextToken(token: string, grant: string, key: string): string {
  return `mcp-refresh.${grant}.${createHmac('sha256', key).update(token).digest('base64url')}`;
}

export function newId(): string {
  return randomBytes(16).toString('base64url');
}

/** The id of the grant of a token; undefined if the text is no token of this kind. */
export function grantIdOf(token: string, kind: TokenKind): string | undefined {
  const [, given, id] = syntax.exec(token) ?? [];
  return given === kind ? id : undefined;
}

/** Tokens have 256 random bits: one round of SHA-256 suffices. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** Whether two texts are equal, in a time that depends on their lengths alone. */
export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
