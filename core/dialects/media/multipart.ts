// Forms (multipart/form-data): read when the request arrives, their fields converted to JSON, and written again for
// each attempt.
import type { JsonObject } from '../json/json-value.ts'

/** A file of a form. It need not be in memory, and can be read once per attempt. */
export interface FormFile {
  /** Name of the form field. */
  name: string
  filename: string
  content_type: string
  /** Size in bytes. */
  size: number
  /** For audio: its length, and how it was determined. */
  seconds?: number
  seconds_by?: 'sound_length' | 'sound_size'
  read(): AsyncIterable<Uint8Array>
}

/** The parts of a form other than its fields. */
export interface FormParts {
  /** Separates the parts and does not occur in them. */
  boundary: string
  files: readonly FormFile[]
}

/** Bytes that are written while they are sent; each iteration starts again. */
export interface StreamedForm extends AsyncIterable<Uint8Array> {
  content_type: string
  size: number
}

const encoder = new TextEncoder()

/** Quotes and line ends would end a name early: escaped as in browsers. */
const quoted = (text: string): string =>
  `"${text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}"`

/** Returns strings as they are and other values as JSON; each list element becomes a separate field. */
const toTexts = (value: unknown): string[] =>
  Array.isArray(value) ? value.flatMap(toTexts) : [typeof value === 'string' ? value : JSON.stringify(value)]

/** Writes the fields, then the files in order. */
export function writeFormParts(fields: JsonObject, { boundary, files }: FormParts): StreamedForm {
  const buildPartHead = (name: string) =>
    encoder.encode(`--${boundary}\r\ncontent-disposition: form-data; name=${name}\r\n\r\n`)
  const lineEnd = encoder.encode('\r\n')
  const end = encoder.encode(`--${boundary}--\r\n`)
  const texts = Object.entries(fields).flatMap(([name, value]) =>
    toTexts(value).flatMap((text) => [buildPartHead(quoted(name)), encoder.encode(text), lineEnd]),
  )
  const parts = files.map((file) => ({
    file,
    head: buildPartHead(
      `${quoted(file.name)}; filename=${quoted(file.filename)}\r\ncontent-type: ${file.content_type}`,
    ),
  }))
  const sizes = [
    ...texts.map(({ length }) => length),
    ...parts.map(({ head, file }) => head.length + file.size + lineEnd.length),
  ]
  return {
    content_type: `multipart/form-data; boundary=${/^[\w'+.-]+$/.test(boundary) ? boundary : `"${boundary}"`}`,
    size: sizes.reduce((sum, size) => sum + size, end.length),
    async *[Symbol.asyncIterator]() {
      yield* texts
      for (const { head, file } of parts) {
        yield head
        yield* file.read()
        yield lineEnd
      }
      yield end
    },
  }
}
