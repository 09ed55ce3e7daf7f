// Forms, written: what a browser's own reader makes of them is what was put in, and their size is told before.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { writeFormParts, type FormFile } from '../../../core/dialects/media/multipart.ts'

const fileOf = (name: string, filename: string, bytes: Uint8Array): FormFile => ({
  name,
  filename,
  content_type: 'audio/wav',
  size: bytes.length,
  async *read() {
    for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100)
  },
})

async function written(form: ReturnType<typeof writeFormParts>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of form) parts.push(part)
  return Buffer.concat(parts)
}

const read = (form: ReturnType<typeof writeFormParts>, bytes: Buffer) =>
  new Response(new Uint8Array(bytes), { headers: { 'content-type': form.content_type } }).formData()

it('reads back as it was written, as often as it is sent', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 })
  const fields = fc.array(fc.tuple(fc.stringMatching(/^[a-z_]{1,9}(\[\])?$/), text), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(
      fields,
      fc.uint8Array({ maxLength: 900 }),
      fc.stringMatching(/^[\w "é]{1,20}$/),
      async (said, bytes, name) => {
        const asked = Object.fromEntries(said.map(([key, value]) => [`f_${key}`, value]))
        const form = writeFormParts(asked, { boundary: 'b=:0123456789abcdef', files: [fileOf('file', name, bytes)] })
        const once = await written(form)
        expect(once.length).toBe(form.size)
        expect((await written(form)).equals(once)).toBe(true)
        const seen = await read(form, once)
        const plain = (value: string) => value.replace(/\r\n|\r|\n/g, '\n')
        for (const [key, value] of Object.entries(asked)) expect(plain(seen.get(key) as string)).toBe(plain(value))
        const file = seen.get('file') as File
        expect([file.name.replaceAll('%22', '"'), file.type]).toEqual([name, 'audio/wav'])
        expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes)
      },
    ),
    { numRuns: 60 },
  )
})

it('says lists field by field, and other values as JSON', async () => {
  const form = writeFormParts({ 'words[]': ['a', 'b'], n: 2, deep: { x: 1 } }, { boundary: 'B', files: [] })
  const seen = await read(form, await written(form))
  expect([seen.getAll('words[]'), seen.get('n'), seen.get('deep')]).toEqual([['a', 'b'], '2', '{"x":1}'])
})

it.each([
  ['----WebKitFormBoundary7MA4YWxkTrZu0gW', '----WebKitFormBoundary7MA4YWxkTrZu0gW'],
  ["it's+a_b.c-1", "it's+a_b.c-1"],
  ['b=:0123456789abcdef', '"b=:0123456789abcdef"'],
  ['a b', '"a b"'],
  ['a(b)/c,d?', '"a(b)/c,d?"'],
])('quotes a boundary only if it is no token: %s', (boundary, written) => {
  // RFC 2046, 5.1.1: these letters are permitted in a boundary, but only in quotes in the header.
  expect(writeFormParts({}, { boundary, files: [] }).content_type).toBe(`multipart/form-data; boundary=${written}`)
})
