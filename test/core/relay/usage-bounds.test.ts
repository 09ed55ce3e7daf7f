// Reports of usage: absurd ones are cut to what the request can have used, true ones are not.
import { describe, expect, it } from 'vitest'
import { anthropicMessages } from '../../../core/dialects/anthropic-messages/index.ts'
import type { Usage } from '../../../core/dialects/answers/usage.ts'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import { toJsonBytes } from '../../../core/dialects/json/json-bytes.ts'
import type { PriceComponent } from '../../../core/pricing/component.ts'
import { PRICE_COMPONENTS, type ComponentName } from '../../../core/pricing/components.ts'
import { clampUsageToBounds } from '../../../core/relay/usage-bounds.ts'

const used = (more: Partial<Usage>): Usage => ({
  input: 0,
  cache_read: 0,
  cache_write: 0,
  cache_write_1h: 0,
  output: 0,
  reasoning: 0,
  source: 'reported',
  ...more,
})

function boundsOf(more: object) {
  const body = toJsonBytes({ model: 'm', max_tokens: 1000, messages: [{ role: 'user', content: 'Hello' }], ...more })
  return { body, words: anthropicMessages.words, head: anthropicMessages.readRequestHead(body), delivered: () => 10 }
}

describe('what a provider reports', () => {
  it.each([
    'web_search_20250305',
    'web_fetch_20250910',
    'code_execution_20260120',
    'bash_code_execution_20250825',
    'tool_search_tool_regex_20251119',
    'mcp_toolset',
  ])('stands where its own tools read and write much: %s', (type) => {
    const usage = used({ input: 404_500, cache_read: 300_000, output: 9000 })
    expect(clampUsageToBounds(usage, boundsOf({ tools: [{ type, name: 'it' }] }))).toBe(usage)
  })

  it('stands where it tells calls of its tools', () => {
    const usage = used({ input: 404_500, output: 9000, calls: { web_search: 10 } })
    expect(clampUsageToBounds(usage, boundsOf({}))).toBe(usage)
  })

  it('is cut where nothing explains it, and beyond what any tool could bring', () => {
    expect(clampUsageToBounds(used({ input: 404_500, output: 9000 }), boundsOf({}))).toMatchObject({ output: 1000 })
    expect(clampUsageToBounds(used({ input: 404_500 }), boundsOf({})).input).toBeLessThan(40_000)
    const absurd = used({ input: 2 ** 31, output: 2 ** 31, calls: { web_search: 10 } })
    expect(clampUsageToBounds(absurd, boundsOf({})).input).toBeLessThan(3_000_000)
    expect(clampUsageToBounds(absurd, boundsOf({})).output).toBe(1_048_576)
  })
})

describe('what a request may use grows with what it has, up to 64 of each', () => {
  const absurd = used({ input: 2 ** 40, output: 2 ** 40 })
  const list = (count: number, item: object) => Array.from({ length: count }, () => item)
  const media = (item: object) => (count: number) => {
    const messages = [{ role: 'user', content: list(count, item) }]
    const bounds = boundsOf({ messages })
    return clampUsageToBounds(absurd, bounds).input - bounds.body.length
  }
  const answers = (limit: object) => (n: number) => {
    const body = toJsonBytes({ model: 'm', n, messages: [{ role: 'user', content: 'Hello' }], ...limit })
    const head = openaiChat.readRequestHead(body)
    return clampUsageToBounds(absurd, { body, words: openaiChat.words, head, delivered: () => 10 }).output
  }

  it.each([
    ['images', media({ type: 'image', source: { type: 'url', url: 'https://a.test/b.png' } })],
    ['files', media({ type: 'document', source: { type: 'url', url: 'https://a.test/b.pdf' } })],
    ['answers', answers({ max_tokens: 100 })],
    ['answers without a limit', answers({})],
  ])('of %s', (_, most) => {
    expect(most(64)).toBeGreaterThan(most(63))
    expect(most(65)).toBe(most(64))
    expect(most(1000)).toBe(most(64))
  })
})

describe('an absurd count', () => {
  const counted = (Object.entries(PRICE_COMPONENTS) as [ComponentName, PriceComponent][]).flatMap(
    ([what, { field, limit, partOf }]) => (field ? [{ what, field, by: limit.by, partOf }] : []),
  )

  it.each(counted)('of $what is cut by $by', ({ field, by, partOf }) => {
    const absurd = 2 ** 40
    const usage = used({ [field]: absurd, ...(partOf ? { [partOf]: absurd } : {}) })
    const bounds = { ...boundsOf({}), files: 32_000 }
    const cut = clampUsageToBounds(usage, bounds)
    if (by === 'told') expect(cut).toBe(usage)
    else expect(cut[field]).toBeLessThan(5_000_000)
    const sane = used({ [field]: 60, ...(partOf ? { [partOf]: 60 } : {}) })
    expect(clampUsageToBounds(sane, bounds)).toBe(sane)
  })

  it('of seconds goes by the length of the sound, where that is known', () => {
    const { head, ...bounds } = boundsOf({})
    const known = { ...bounds, files: 2 ** 30, head: { ...head, seconds: 600, seconds_by: 'sound_length' as const } }
    expect(clampUsageToBounds(used({ seconds: 2 ** 30 }), known).seconds).toBe(1260)
    const told = used({ seconds: 700 })
    expect(clampUsageToBounds(told, known)).toBe(told)
  })

  it('of a part counts as much as any other of the prompt', () => {
    const cut = clampUsageToBounds(used({ input: 404_500, audio_in: 404_500 }), boundsOf({}))
    expect(cut.input).toBeLessThan(40_000)
    expect(cut.audio_in).toBe(cut.input)
  })

  it('keeps parts that are charged apart within their whole', () => {
    const cut = clampUsageToBounds(used({ input: 2 ** 31, audio_in: 2 ** 30, image_in: 2 ** 31 }), boundsOf({}))
    expect((cut.audio_in ?? 0) + (cut.image_in ?? 0)).toBeLessThanOrEqual(cut.input)
  })
})
