// Converts a submission to a form: its members become fields, and `data:` URLs become files.
import type { JsonObject } from '../json/json-value.ts'
import { writeFormParts, type FormFile, type StreamedForm } from '../media/multipart.ts'

const DATA = /^data:([^;,]+);base64,(.+)$/s
const BOUNDARY = 'weir-form-7MA4YWxkTrZu0gW'

export function buildTaskForm(json: JsonObject): StreamedForm {
  const files: FormFile[] = []
  const fields: JsonObject = {}
  for (const [name, value] of Object.entries(json)) {
    const [, content_type, data] = (typeof value === 'string' && DATA.exec(value)) || []
    if (content_type === undefined || data === undefined) fields[name] = value
    else files.push(buildFile(name, content_type, data))
  }
  return writeFormParts(fields, { boundary: BOUNDARY, files })
}

/** Decodes base64. */
export function decodeBase64(base64: string): Uint8Array {
  const letters = atob(base64)
  const bytes = new Uint8Array(letters.length)
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = letters.charCodeAt(at)
  return bytes
}

function buildFile(name: string, content_type: string, data: string): FormFile {
  const bytes = decodeBase64(data)
  const filename = `${name}.${content_type.split('/')[1] ?? 'bin'}`
  return {
    name,
    filename,
    content_type,
    size: bytes.length,
    async *read() {
      yield bytes
    },
  }
}
