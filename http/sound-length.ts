// How long a sound is, as its own bytes tell.
import { Readable } from 'node:stream'
import { parseStream } from 'music-metadata'
import { soundSeconds } from '../core/index.ts'
import type { FormFile } from '../core/dialects/multipart.ts'

/** The file with its length in seconds; by its size alone where its format is not known. */
export async function withLength(file: FormFile): Promise<FormFile> {
  const about = { mimeType: file.content_type, path: file.filename, size: file.size }
  const bytes = Readable.from(file.read())
  // It may be read ahead of what is looked at, and the file may be gone by then.
  bytes.on('error', () => undefined)
  const seconds = await parseStream(bytes, about, { duration: true, skipCovers: true }).then(
    ({ format }) => format.duration,
    () => undefined,
  )
  bytes.destroy()
  return { ...file, seconds: seconds && seconds > 0 ? seconds : soundSeconds(file.size) }
}
