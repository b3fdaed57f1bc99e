import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

export interface ServerTask {
  readonly server: string;
  readonly taskId: string;
  /** The tool whose call became the task, by the name that its server gives it. */
  readonly tool?: string | undefined;
}

/**
 * The task ids that clients see: the server's name, its task id and the tool, encrypted and bound to the
 * authorized client, so that no client can forge the id of another client's task. They become invalid when
 * the gateway ends, unless it has a key.
 */
export class TaskIds {
  readonly #key: Buffer;

  /** @param key a key that other processes of the gateway have too */
  constructor(key: Uint8Array = randomBytes(32)) {
    this.#key = createHmac('sha256', key).update('task ids').digest();
  }

  seal({ server, taskId, tool }: ServerTask, principal: string | undefined): string {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv).setAAD(ownerOf(principal));
    const sealed = Buffer.concat([cipher.update(JSON.stringify([server, taskId, tool])), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  /** The task behind an id; undefined for an id that was not made for this client. */
  open(id: string, principal: string | undefined): ServerTask | undefined {
    const bytes = Buffer.from(id, 'base64url');
    if (bytes.length < 28) return undefined;
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, 12))
        .setAAD(ownerOf(principal))
        .setAuthTag(bytes.subarray(12, 28));
      const text = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString();
      const [server, taskId, tool] = JSON.parse(text) as [string, string, string | null];
      return { server, taskId, tool: tool ?? undefined };
    } catch {
      return undefined;
    }
  }
}

function ownerOf(principal: string | undefined): Buffer {
  return Buffer.from(JSON.stringify([principal ?? null]));
}
