import { pathToFileURL } from 'node:url';
import {
  audioContent,
  blobResourceContents,
  type Call,
  defineTool,
  embeddedResource,
  imageContent,
} from '@mcp/protocol';
import * as z from 'zod';
import type { Filesystem } from '../context.ts';
import { interpretNames } from '../input/argument-names.ts';

export const readMediaFile = defineTool({
  name: 'read_media_file',
  title: 'Read media file',
  description: 'Returns an image or audio file, detected by content rather than name; other files as bytes.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  interpret: interpretNames(),

  inputSchema: z.object({ path: z.string() }),

  async run({ path }, { context: { sandbox } }: Call<Filesystem>) {
    const { bytes, mimeType, path: real } = await sandbox.readMedia(path);
    if (mimeType.startsWith('image/') && mimeType !== 'image/svg+xml') return imageContent(bytes, mimeType);
    if (mimeType.startsWith('audio/')) return audioContent(bytes, mimeType);
    return embeddedResource(blobResourceContents(pathToFileURL(real).href, bytes, mimeType));
  },
});
