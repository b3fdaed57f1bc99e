import { pathToFileURL } from 'node:url';
import { audio, blobContents, defineTool, embedded, image } from '@mcp/protocol';
import * as z from 'zod';
import type { Filesystem } from '../context.ts';

export const readMediaFile = defineTool({
  name: 'read_media_file',
  title: 'Read media file',
  description: 'Reads an image or a sound, by what the file is and not by its name; anything else as bytes.',
  hints: { readOnly: true, openWorld: false },

  input: z.object({ path: z.string() }),

  async run({ path }, { sandbox }: Filesystem) {
    const { bytes, mimeType, path: real } = await sandbox.readMedia(path);
    if (mimeType.startsWith('image/') && mimeType !== 'image/svg+xml') return image(bytes, mimeType);
    if (mimeType.startsWith('audio/')) return audio(bytes, mimeType);
    return embedded(blobContents(pathToFileURL(real).href, bytes, mimeType));
  },
});
