// Finds the images and files that a request only refers to by URL, in any format, and inlines their bytes.
import { asList, getMember, asObject, asText, type JsonObject } from './json/json-value.ts'

export type FileKind = 'image' | 'file'

/** A file's bytes in base64, with their type. */
export interface EncodedFile {
  type: string
  data: string
}

/** Returns the bytes at an address; undefined leaves the address as it is. */
export type Fill = (url: string, kind: FileKind) => EncodedFile | undefined

const isAddress = (value: unknown): value is string => typeof value === 'string' && /^https?:\/\//i.test(value)

const dataUrl = ({ type, data }: EncodedFile): string => `data:${type};base64,${data}`

/**
 * Returns the request with the bytes of each file that could be filled. A value without such files is returned as the
 * same object.
 */
export function inlineFileAddresses(value: unknown, fill: Fill): unknown {
  const list = asList(value)
  if (list) {
    const items = list.map((item) => inlineFileAddresses(item, fill))
    return items.some((item, index) => item !== list[index]) ? items : value
  }
  const object = asObject(value)
  if (!object) return value
  const own = fillPart(object, fill) ?? object
  const entries = Object.entries(own).map(([key, member]) => [key, inlineFileAddresses(member, fill)] as const)
  return own !== object || entries.some(([key, member]) => member !== own[key]) ? Object.fromEntries(entries) : value
}

/** Returns a part with its address filled; undefined if it has no address or stays as it is. */
function fillPart(part: JsonObject, fill: Fill): JsonObject | undefined {
  const { image_url, file_url, source, type } = part
  // OpenAI's images: an object (chat) or a string (Responses).
  const address = getMember(image_url, 'url') ?? image_url
  if (isAddress(address)) {
    const bytes = fill(address, 'image')
    if (!bytes) return undefined
    const url = dataUrl(bytes)
    return { ...part, image_url: typeof image_url === 'string' ? url : { ...asObject(image_url), url } }
  }
  if (isAddress(file_url)) {
    const bytes = fill(file_url, 'file')
    const { file_url: _gone, ...rest } = part
    return bytes && { filename: getFileName(file_url), ...rest, file_data: dataUrl(bytes) }
  }
  const from = getMember(source, 'url')
  if (getMember(source, 'type') === 'url' && isAddress(from)) {
    const bytes = fill(from, type === 'image' ? 'image' : 'file')
    return bytes && { ...part, source: { type: 'base64', media_type: bytes.type, data: bytes.data } }
  }
  return googlePart(part, fill)
}

function googlePart(part: JsonObject, fill: Fill): JsonObject | undefined {
  const { fileData, file_data, ...rest } = part
  const file = asObject(fileData) ?? asObject(file_data)
  const uri = file?.fileUri ?? file?.file_uri
  if (!isAddress(uri)) return undefined
  const mimeType = asText(file?.mimeType) ?? asText(file?.mime_type) ?? ''
  const bytes = fill(uri, mimeType.startsWith('image/') ? 'image' : 'file')
  return bytes && { ...rest, inlineData: { mimeType: bytes.type, data: bytes.data } }
}

const getFileName = (url: string): string => new URL(url).pathname.split('/').at(-1) || 'file'
