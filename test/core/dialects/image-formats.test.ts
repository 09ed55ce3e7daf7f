// Images in OpenAI's format: what a call is charged for, and the request and the answer at Google and at DashScope.
import { describe, expect, it } from 'vitest'
import type { TranslatedFormat } from '../../../core/dialects/dialect.ts'
import { dashscopeForImages } from '../../../core/dialects/media/dashscope-images.ts'
import { googleForImages } from '../../../core/dialects/media/google-images.ts'
import { openaiImageEdits, openaiImages, openaiImageVariations } from '../../../core/dialects/media/openai-images.ts'
import type { RequestHead } from '../../../core/dialects/requests/head.ts'
import type { Json } from '../../support/json.ts'

const bytes = (value: object) => new TextEncoder().encode(JSON.stringify(value))
const jsonOf = (body: Uint8Array): Json => JSON.parse(new TextDecoder().decode(body))
const head: RequestHead = { model: 'm', stream: false, include_usage: false, prompt_estimate: 1 }
const [imagen, gemini] = googleForImages as [TranslatedFormat, TranslatedFormat]

function write(format: TranslatedFormat, request: object, model = 'm'): { json: Json; dropped: string[] } {
  const { body, dropped } = format.write(bytes({ model, prompt: 'a fish', ...request }), model)
  return { json: jsonOf(body), dropped }
}

describe('the head of a request for images', () => {
  const formats = { openaiImages, openaiImageEdits, openaiImageVariations }
  const read = (format: keyof typeof formats, more: object) =>
    formats[format].readRequestHead(bytes({ model: 'm', prompt: 'a fish', ...more })).images

  it.each(Object.keys(formats) as (keyof typeof formats)[])('tells number, size and quality: %s', (format) => {
    expect(read(format, {})).toEqual({ n: 1 })
    expect(read(format, { n: null })).toEqual({ n: 1 })
    expect(read(format, { n: 3, size: '1024x1536', quality: 'HD' })).toEqual({ n: 3, size: '1024x1536', quality: 'hd' })
    // The values of a form are texts.
    expect(read(format, { n: '128', size: 'auto', quality: 'auto' })).toEqual({ n: 128 })
    for (const n of [0, 129, 1.5, 'many', true])
      expect(() => read(format, { n }), String(n)).toThrow(expect.objectContaining({ code: 'request.invalid' }))
  })

  it('needs a prompt, except for variations', () => {
    for (const format of ['openaiImages', 'openaiImageEdits'] as const)
      expect(() => read(format, { prompt: '' })).toThrow(expect.objectContaining({ code: 'request.invalid' }))
    expect(read('openaiImageVariations', { prompt: undefined })).toEqual({ n: 1 })
  })

  it('limits the charge to the images that were requested', () => {
    const usage = (data: object[], more: object = {}) =>
      openaiImages.usageOf({ data, ...more }, { ...head, images: { n: 2 } }).images
    expect(usage([{}, {}])).toEqual({ n: 2 })
    expect(usage([{}])).toEqual({ n: 1 })
    expect(usage([{}, {}, {}])).toEqual({ n: 2 })
    expect(usage([{}], { size: '1024x1024', quality: 'low' })).toEqual({ n: 1, size: '1024x1024', quality: 'low' })
  })
})

describe("the request at Google's models", () => {
  it('has the prompt and the number', () => {
    expect(write(imagen, { n: 3 }).json).toEqual({
      instances: [{ prompt: 'a fish' }],
      parameters: { sampleCount: 3, personGeneration: 'allow_adult' },
    })
    expect(write(imagen, {}).json.parameters.sampleCount).toBe(1)
    expect(write(gemini, {}).json).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'a fish' }] }],
      generationConfig: { responseModalities: ['TEXT', 'IMAGE'] },
    })
  })

  it.each([
    ['1024x1024', '1:1', '1:1', undefined],
    ['1536x1024', '4:3', '3:2', undefined],
    ['1024x1536', '3:4', '2:3', undefined],
    ['1792x1024', '16:9', '16:9', undefined],
    ['1080X1920', '9:16', '9:16', undefined],
    ['2048x2048', '1:1', '1:1', '2K'],
    ['4096x2304', '16:9', '16:9', '4K'],
    ['21:9', '16:9', '21:9', undefined],
    ['4096:4096', '1:1', '1:1', undefined],
    ['auto', undefined, undefined, undefined],
    ['0x1024', undefined, undefined, undefined],
  ])('has the nearest shape to %s: %s of Imagen, %s of Gemini, size %s', (size, ofImagen, ofGemini, large) => {
    const { aspectRatio, sampleImageSize } = write(imagen, { size }).json.parameters
    expect([aspectRatio, sampleImageSize]).toEqual([ofImagen, large])
    const { imageConfig = {} } = write(gemini, { size }).json.generationConfig
    expect(imageConfig).toEqual({
      ...(ofGemini === undefined ? {} : { aspectRatio: ofGemini }),
      ...(large === undefined ? {} : { imageSize: large }),
    })
  })
})

describe('the request at DashScope', () => {
  it('has the prompt as a text, or as a message for newer models', () => {
    expect(write(dashscopeForImages, { n: 2, size: '1024x1536' }, 'wan2.5-t2i-preview').json).toEqual({
      model: 'wan2.5-t2i-preview',
      input: { prompt: 'a fish' },
      parameters: { n: 2, size: '1024*1536' },
    })
    expect(write(dashscopeForImages, { size: 'auto' }, 'wan2.6-t2i').json).toEqual({
      model: 'wan2.6-t2i',
      input: { messages: [{ role: 'user', content: [{ text: 'a fish' }] }] },
      parameters: { n: 1 },
    })
  })
})

describe('a request that a provider cannot fulfil', () => {
  const UNSUPPORTED = ['quality', 'style', 'background', 'moderation', 'output_compression', 'output_format', 'user']
  const formats = { imagen, gemini, dashscopeForImages }

  it.each(Object.entries(formats))('names the fields that are left out: %s', (_, format) => {
    const { dropped } = write(format, Object.fromEntries(UNSUPPORTED.map((name) => [name, 'x'])))
    expect(dropped.sort()).toEqual([...UNSUPPORTED].sort())
    expect(write(format, { n: 1, size: '1024x1024' }).dropped).toEqual([])
  })

  it('is refused for the form of the answer, or the number', () => {
    const refused = expect.objectContaining({ code: 'request.untranslatable' })
    for (const format of [imagen, gemini]) expect(() => write(format, { response_format: 'url' })).toThrow(refused)
    expect(() => write(dashscopeForImages, { response_format: 'b64_json' })).toThrow(refused)
    expect(() => write(gemini, { n: 2 })).toThrow(refused)
  })
})

describe('the answer', () => {
  it('has the images of each provider', () => {
    const predictions = [{ bytesBase64Encoded: 'AAAA' }, { raiFilteredReason: 'no' }, { bytesBase64Encoded: 'BBBB' }]
    expect(jsonOf(imagen.read(bytes({ predictions }), head)).data).toEqual([{ b64_json: 'AAAA' }, { b64_json: 'BBBB' }])
    const parts = [
      { thought: true, inlineData: { data: 'DDDD' } },
      { text: 'Here.' },
      { inline_data: { data: 'AAAA' } },
    ]
    expect(jsonOf(gemini.read(bytes({ candidates: [{ content: { parts } }] }), head)).data).toEqual([
      { b64_json: 'AAAA', revised_prompt: 'Here.' },
    ])
    const results = [{ url: 'https://pictures.test/1.png' }, { code: 'InternalError' }]
    const output = { task_status: 'SUCCEEDED', end_time: '2026-11-24 10:00:00.000', results }
    expect(jsonOf(dashscopeForImages.read(bytes({ output }), head))).toEqual({
      created: Date.UTC(2026, 10, 24, 2) / 1000,
      data: [{ url: 'https://pictures.test/1.png' }],
    })
  })

  it('without an image is unreadable', () => {
    for (const format of [imagen, gemini, dashscopeForImages])
      expect(() => format.read(bytes({}), head)).toThrow(expect.objectContaining({ code: 'upstream.unreadable' }))
  })
})
