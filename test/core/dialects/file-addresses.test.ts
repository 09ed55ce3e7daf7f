// Files that a request names by their addresses, in every format: they are found with their kinds, and replaced by their bytes.
import { describe, expect, it } from 'vitest'
import { inlineFileAddresses, type EncodedFile, type FileKind } from '../../../core/dialects/addresses.ts'

const URL = 'https://files.test/folder/a.bin?size=2'
const FILE: EncodedFile = { type: 'image/png', data: 'AAAA' }
const DATA_URL = 'data:image/png;base64,AAAA'

function inline(value: unknown, fill: (url: string, kind: FileKind) => EncodedFile | undefined = () => FILE) {
  const asked: [string, FileKind][] = []
  const filled = inlineFileAddresses(value, (url, kind) => {
    asked.push([url, kind])
    return fill(url, kind)
  })
  return { asked, filled }
}

/** A part of a request as its format has it, the kind of its file, and the part with the bytes. */
const parts: [string, FileKind, object, object][] = [
  [
    "an image of OpenAI's chat",
    'image',
    { type: 'image_url', image_url: { url: URL, detail: 'low' } },
    { type: 'image_url', image_url: { url: DATA_URL, detail: 'low' } },
  ],
  [
    'an image of Responses',
    'image',
    { type: 'input_image', detail: 'low', image_url: URL },
    { type: 'input_image', detail: 'low', image_url: DATA_URL },
  ],
  [
    'a file of Responses',
    'file',
    { type: 'input_file', file_url: URL },
    { type: 'input_file', filename: 'a.bin', file_data: DATA_URL },
  ],
  [
    'a named file of Responses',
    'file',
    { type: 'input_file', file_url: URL, filename: 'report.pdf' },
    { type: 'input_file', filename: 'report.pdf', file_data: DATA_URL },
  ],
  ...(['image', 'document'] as const).map((type): [string, FileKind, object, object] => [
    `a block of Claude of the type ${type}`,
    type === 'image' ? 'image' : 'file',
    { type, source: { type: 'url', url: URL }, cache_control: { type: 'ephemeral' } },
    {
      type,
      source: { type: 'base64', media_type: 'image/png', data: 'AAAA' },
      cache_control: { type: 'ephemeral' },
    },
  ]),
  ...(['image/jpeg', 'application/pdf'] as const).flatMap((mimeType): [string, FileKind, object, object][] => {
    const kind = mimeType.startsWith('image/') ? 'image' : 'file'
    const bytes = { inlineData: { mimeType: 'image/png', data: 'AAAA' } }
    return [
      [`a part of Gemini of the type ${mimeType}`, kind, { fileData: { mimeType, fileUri: URL } }, bytes],
      [
        `a part of Gemini of the type ${mimeType}, spelled in the other way`,
        kind,
        { file_data: { mime_type: mimeType, file_uri: URL } },
        bytes,
      ],
    ]
  }),
]

describe.each(parts)('%s', (_, kind, part, filled) => {
  const request = (content: object) => ({ messages: [{ role: 'user', content: [{ text: 'Look' }, content] }], n: 1 })

  it('is found with its kind, and replaced where it stands', () => {
    expect(inline(request(part))).toEqual({ asked: [[URL, kind]], filled: request(filled) })
  })

  it('stays the same object if there are no bytes for it', () => {
    const given = request(part)
    const { asked, filled: left } = inline(given, () => undefined)
    expect(asked).toEqual([[URL, kind]])
    expect(left).toBe(given)
  })

  it('is not asked for if it is no address of the web', () => {
    const text = JSON.stringify(request(part))
    for (const other of [DATA_URL, 'gs://bucket/a.bin', 'file:///etc/passwd', '']) {
      const given = JSON.parse(text.replace(URL, other)) as unknown
      const { asked, filled: left } = inline(given)
      expect(asked, other).toEqual([])
      expect(left).toBe(given)
    }
  })
})

it('a request may name several files, of which some are filled', () => {
  const image = (url: string) => ({ type: 'image_url', image_url: { url } })
  const { filled } = inline([image(URL), image('https://files.test/b')], (url) => (url === URL ? FILE : undefined))
  expect(filled).toEqual([image(DATA_URL), image('https://files.test/b')])
})
