// Counting tokens: the thread, the encoders, prompts with pictures and tools.
import { afterAll, describe, expect, it } from 'vitest'
import { createTokenizer } from '../../../core/adapters/tokenizer.ts'
import type { ModelRequest } from '../../../core/dialects/model-request.ts'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import { readImageSize } from '../../../core/pricing/media-tokens.ts'
import { countAnswerTokens, countPrompt, getEncoding } from '../../../core/relay/measure.ts'

const tokenizer = createTokenizer({ patience_ms: 20_000 })
afterAll(() => tokenizer.close())

describe('the encoder of a model', () => {
  it.each([
    ['gpt-4o-mini', 'o200k_base'],
    ['gpt-4.1', 'o200k_base'],
    ['gpt-4.5-preview', 'o200k_base'],
    ['gpt-6.2-sol', 'o200k_base'],
    ['chatgpt-4o-latest', 'o200k_base'],
    ['o3', 'o200k_base'],
    ['gpt-oss-120b', 'o200k_base'],
    ['claude-opus-5', 'o200k_base'],
    ['gpt-4', 'cl100k_base'],
    ['gpt-4-turbo', 'cl100k_base'],
    ['gpt-3.5-turbo', 'cl100k_base'],
    ['text-embedding-3-small', 'cl100k_base'],
  ])('%s is cut by %s', (model, encoding) => expect(getEncoding(model)).toBe(encoding))
})

describe('the counting thread', () => {
  it('counts as the encoders do', async () => {
    expect(await tokenizer.count(['hello world'], 'cl100k_base')).toBe(2)
    expect(await tokenizer.count(['hello world', 'hello'], 'o200k_base')).toBe(3)
    expect(await tokenizer.count([], 'o200k_base')).toBe(0)
  })

  it('takes the words of special tokens for words', async () => {
    expect(await tokenizer.count(['<|endoftext|>'], 'cl100k_base')).toBeGreaterThan(1)
  })

  it('takes no longer for a text without a break, and reckons very long ones from their beginning', async () => {
    const long = await tokenizer.count(['a'.repeat(2_500_000)], 'o200k_base')
    expect(long).toBeGreaterThan(200_000)
    expect(long).toBeLessThan(700_000)
  }, 30_000)

  it('leaves the event loop alone meanwhile', async () => {
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    await tokenizer.count(['The quick brown fox. '.repeat(40_000)], 'o200k_base')
    clearInterval(timer)
    expect(turns).toBeGreaterThan(10)
  }, 30_000)

  it('estimates what it has no patience or no room for, and comes back', async () => {
    const hasty = createTokenizer({ patience_ms: 1 })
    const text = 'four letters each '.repeat(20_000)
    expect(await hasty.count([text], 'o200k_base')).toBe(text.length / 4)
    const many = await Promise.all(
      Array.from({ length: 200 }, () => tokenizer.count(['word '.repeat(50)], 'o200k_base')),
    )
    expect(many.every((tokens) => tokens > 40 && tokens < 70)).toBe(true)
    await hasty.close()
    expect(await hasty.count(['ab'], 'o200k_base')).toBeGreaterThan(0)
    await hasty.close()
  })

  it('rests when it is not needed', async () => {
    const short = createTokenizer({ patience_ms: 20_000, rest_ms: 1 })
    expect(await short.count(['hello world'], 'o200k_base')).toBe(2)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await short.count(['hello world'], 'o200k_base')).toBe(2)
    await short.close()
  })
})

const base64 = (bytes: number[]) => Buffer.from(bytes).toString('base64')
const png = [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 2, 0, 0, 0, 2, 0]
const jpeg = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 11, 8, 1, 0, 2, 0]
const gif = [...Buffer.from('GIF89a'), 10, 0, 20, 0]
const riff = (kind: string, rest: number[]) => [
  ...Buffer.from('RIFF'),
  0,
  0,
  0,
  0,
  ...Buffer.from(`WEBP${kind}`),
  ...rest,
]

describe('the size of a picture', () => {
  it.each([
    ['PNG', png, { width: 512, height: 512 }],
    ['JPEG', jpeg, { width: 512, height: 256 }],
    ['GIF', gif, { width: 10, height: 20 }],
    ['WebP', riff('VP8 ', [0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 0x40, 1, 0xf0, 0]), { width: 320, height: 240 }],
    ['lossless WebP', riff('VP8L', [0, 0, 0, 0, 0x2f, 0x3f, 0xc1, 0x3b, 0]), { width: 320, height: 240 }],
    ['extended WebP', riff('VP8X', [0, 0, 0, 0, 0, 0, 0, 0, 0x3f, 1, 0, 0xef, 0, 0]), { width: 320, height: 240 }],
  ])('%s', (_, bytes, size) => expect(readImageSize(Uint8Array.from(bytes))).toEqual(size))

  it('is unknown where there is none', () => {
    for (const bytes of [[], [1, 2, 3], png.slice(0, 18), [0xff, 0xd8, 1]]) {
      expect(readImageSize(Uint8Array.from(bytes))).toBeUndefined()
    }
  })
})

describe('a prompt', () => {
  const ask = (
    content: ModelRequest['messages'][number]['content'],
    more: Partial<ModelRequest> = {},
  ): ModelRequest => ({
    dialect: 'openai-chat',
    model: 'gpt-4o',
    stream: false,
    messages: [{ role: 'user', content }],
    extra: {},
    ...more,
  })
  const plain = 3 + 3 + 1 // the primer, the message, its role

  it('counts messages, names and every tool', async () => {
    const text = [{ type: 'text' as const, text: 'hello world' }]
    expect(await countPrompt(ask(text), tokenizer)).toBe(plain + 2)
    const named = ask(text, { messages: [{ role: 'user', content: text, name: 'hello' }] })
    expect(await countPrompt(named, tokenizer)).toBe(plain + 2 + 1 + 1)
    const tools = [{ name: 'hello' }, { name: 'hello', description: 'hello world' }]
    expect(await countPrompt(ask(text, { tools }), tokenizer)).toBe(plain + 2 + 8 + 1 + 8 + 1 + 2)
  })

  it('counts pictures by their size, sound and files by a figure', async () => {
    const url = `data:image/png;base64,${base64(png)}`
    expect(await countPrompt(ask([{ type: 'image', url }]), tokenizer)).toBe(plain + 765)
    expect(await countPrompt(ask([{ type: 'image', url, detail: 'low' }]), tokenizer)).toBe(plain + 85)
    expect(await countPrompt(ask([{ type: 'image', url: 'https://a.test/x.png' }]), tokenizer)).toBe(plain + 765)
    expect(await countPrompt(ask([{ type: 'audio', data: '', format: 'wav' }]), tokenizer)).toBe(plain + 100)
    expect(await countPrompt(ask([{ type: 'file' }]), tokenizer)).toBe(plain + 5000)
  })

  it.each([
    ['as its own where it stands within the first 48 KiB', 0, 1105],
    ['as that of a picture by address beyond', 1, 765],
  ])('takes the size of a picture %s', async (_, further, tokens) => {
    const [start, end] = [2, 9]
    const comment = 48 * 1024 - start - end - 4 + further
    const before = [0xff, 0xd8, 0xff, 0xfe, (comment + 2) >> 8, (comment + 2) & 0xff]
    const frame = [0xff, 0xc0, 0, 11, 8, 1, 0, 2, 0]
    const bytes = Buffer.concat([Buffer.from(before), Buffer.alloc(comment), Buffer.from(frame), Buffer.alloc(4096)])
    const url = `data:image/jpeg;base64,${bytes.toString('base64')}`
    expect(await countPrompt(ask([{ type: 'image', url }]), tokenizer)).toBe(plain + tokens)
  })
})

it('an answer counts its texts, and each tool call seven more', async () => {
  const calls = [{ id: '1', type: 'function', function: { name: 'hello', arguments: 'hello' } }]
  const message = { role: 'assistant', content: 'hello world', tool_calls: calls }
  const body = new TextEncoder().encode(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }))
  expect(await countAnswerTokens(openaiChat, body, 'gpt-4o', tokenizer)).toBe(2 + 7 + 2)
})
