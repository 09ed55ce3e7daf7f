// The prices of providers' tools: the rows of the table for each family, and the counted calls in answers.
import { describe, expect, it } from 'vitest'
import { geminiGenerate } from '../../../core/dialects/gemini-generate/index.ts'
import { toJsonBytes } from '../../../core/dialects/json/json-bytes.ts'
import { openaiResponses } from '../../../core/dialects/openai-responses/index.ts'
import { listToolPrices } from '../../../core/pricing/tool-price.ts'
import { toolPriceTable } from '../../../core/settings/price-tiers.data.ts'
import { listFailures } from '../../support/list-failures.ts'

const usd = (model: string, calls: Record<string, number> = {}) => {
  const prices = listToolPrices(model, toolPriceTable)
  return Object.entries(calls).reduce((sum, [tool, n]) => sum + n * (prices[tool] ?? 0), 0)
}

it('every row is what a model of it pays', async () => {
  const failures = await listFailures(
    Object.entries(toolPriceTable),
    ([key]) => key,
    ([key, price]) => {
      const [tool = '', pattern] = key.split(':')
      const model = pattern ? pattern.replace('*', '-x') : 'some-model'
      expect(listToolPrices(model, toolPriceTable)[tool] ?? 0).toBe(price)
    },
  )
  expect(failures).toEqual([])
})

describe('Google searches', () => {
  const chunk = (queries: string[]) => ({
    candidates: [
      { content: { parts: [{ text: 'a' }] }, finishReason: 'STOP', groundingMetadata: { webSearchQueries: queries } },
    ],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1 },
  })

  it('cost by the query from Gemini 3 on, and by the prompt before', () => {
    const calls = geminiGenerate.readAnswerReport(toJsonBytes(chunk(['one', 'two', 'three']))).usage?.calls
    expect(usd('gemini-3-flash-preview', calls)).toBe(3 * 14)
    expect(usd('gemini-2.5-pro', calls)).toBe(35)
  })

  it('are counted the same in a stream, each query once', () => {
    const frames = [chunk(['one']), chunk(['one', 'two', '']), chunk(['two', 'three'])]
    const read = geminiGenerate.reader()
    const events = frames.flatMap((frame) => read({ data: JSON.stringify(frame) }))
    const watcher = geminiGenerate.watcher(
      geminiGenerate.readRequestHead(toJsonBytes({ contents: [{ parts: [{ text: 'a' }] }] }), { model: 'm' }),
    )
    const bytes = new TextEncoder().encode(frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(''))
    const expected = { google_search: 3, google_search_prompt: 1 }
    expect(events.findLast(({ type }) => type === 'usage')).toMatchObject({ usage: { calls: expected } })
    expect(watcher.look(bytes).usage?.calls).toEqual(expected)
  })
})

it('a container is paid once, and a picture by its size and quality', () => {
  const output = [
    ...[
      { type: 'code_interpreter_call', container_id: 'a' },
      { type: 'code_interpreter_call', container_id: 'a' },
    ],
    ...[{ type: 'code_interpreter_call', container_id: 'b' }, { type: 'web_search_call' }],
    { type: 'image_generation_call', quality: 'low', size: '1024x1024' },
  ]
  const { usage } = openaiResponses.readAnswerReport(
    toJsonBytes({ id: 'r', object: 'response', status: 'completed', output }),
  )
  expect(usd('gpt-5', usage?.calls)).toBe(2 * 30 + 10 + 11)
  expect(usd('grok-4', usage?.calls)).toBe(2 * 5 + 5 + 11)
})
