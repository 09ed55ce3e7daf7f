// Images, audio and files: inline bytes with their type, or a URL that the provider fetches itself.
import type { ContentPart } from '../model-request.ts'
import { asText, omitUndefinedMembers, type JsonObject } from '../json/json-value.ts'
import { getEitherSpelling } from './fields.ts'

const DATA_URL = /^data:([^;,]*)(?:;[^,]*)?;base64,/
/** Raw samples as Google's speech models send them: OpenAI's pcm16. */
const PCM = 'audio/L16;codec=pcm;rate=24000'
const PCM_FORMAT = 'pcm16'

const typesByEnding: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  heic: 'image/heic',
  heif: 'image/heif',
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
}

/** Returns a file's type by the extension of its name or address. */
function typeByName(name: string | undefined): string | undefined {
  const ending = /\.(\w+)(?:[?#].*)?$/.exec(name ?? '')?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(typesByEnding, ending) ? typesByEnding[ending] : undefined
}

export const toAudioFormat = (type: string): string =>
  type === PCM ? PCM_FORMAT : (type.split(';', 1)[0] ?? type).replace(/^audio\/(?:x-)?/, '')

export const toAudioType = (format: string): string => (format === PCM_FORMAT ? PCM : `audio/${format}`)

/** Converts base64 to the standard alphabet: Google also accepts the URL-safe one. */
const plainBase64 = (data: string): string => data.replace(/-/g, '+').replace(/_/g, '/')

export interface Blob {
  type: string
  data: string
}

/** Returns the bytes of a part that has some. */
export function getBlob(part: unknown): Blob | undefined {
  const inline = getEitherSpelling(part, 'inlineData')
  const data = asText(getEitherSpelling(inline, 'data'))
  return data === undefined
    ? undefined
    : { type: asText(getEitherSpelling(inline, 'mimeType')) ?? 'application/octet-stream', data: plainBase64(data) }
}

export const toDataUrl = ({ type, data }: Blob): string => `data:${type};base64,${data}`

/** Reads an image, audio or file in a part; undefined if it has none. */
export function readMediaPart(part: unknown): ContentPart | undefined {
  const blob = getBlob(part)
  if (blob) {
    if (blob.type.startsWith('image/')) return { type: 'image', url: toDataUrl(blob) }
    if (blob.type.startsWith('audio/')) return { type: 'audio', data: blob.data, format: toAudioFormat(blob.type) }
    return { type: 'file', url: toDataUrl(blob) }
  }
  const file = getEitherSpelling(part, 'fileData')
  const url = asText(getEitherSpelling(file, 'fileUri'))
  if (url === undefined) return undefined
  const media_type = asText(getEitherSpelling(file, 'mimeType'))
  if ((media_type ?? typeByName(url))?.startsWith('image/')) return { type: 'image', url }
  return { type: 'file', url, ...(media_type ? { media_type } : {}) }
}

const inlineData = ({ type, data }: Blob): JsonObject => ({ inlineData: { mimeType: type, data } })

const fileData = (fileUri: string, type?: string): JsonObject => ({
  fileData: omitUndefinedMembers({ fileUri, mimeType: type ?? typeByName(fileUri) }),
})

/** Writes the part of an image, audio or file; undefined if Google could not access it. */
export function writeMediaPart(part: Exclude<ContentPart, { type: 'text' }>): JsonObject | undefined {
  if (part.type === 'audio') return inlineData({ type: toAudioType(part.format), data: part.data })
  if (part.type === 'image') return writeImagePart(part.url)
  const { url, data, file_id, filename, media_type } = part
  const bytes = data ?? url
  const inline = bytes === undefined ? null : DATA_URL.exec(bytes)
  const type = media_type ?? typeByName(filename)
  if (inline && bytes !== undefined) {
    return inlineData({ type: inline[1] || (type ?? 'application/pdf'), data: bytes.slice(inline[0].length) })
  }
  if (data !== undefined) return inlineData({ type: type ?? 'application/pdf', data })
  if (url !== undefined) return fileData(url, type)
  // Only Google's own files can be referenced; other providers' files do not exist here.
  return file_id?.startsWith('files/') ? fileData(file_id, type) : undefined
}

/** Writes an image given by a URL or a `data:` URL. */
export function writeImagePart(url: string): JsonObject {
  const inline = DATA_URL.exec(url)
  return inline ? inlineData({ type: inline[1] || 'image/png', data: url.slice(inline[0].length) }) : fileData(url)
}
