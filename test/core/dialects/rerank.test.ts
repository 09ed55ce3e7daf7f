// Ranking of documents: the text of a request and the usage of an answer, in the forms of each vendor.
import { describe, expect, it } from 'vitest'
import { rerank } from '../../../core/dialects/embeddings/rerank.ts'
import { toJsonBytes } from '../../../core/dialects/json/json-bytes.ts'

const request = { model: 'm', query: 'Which one?', documents: ['first document', { text: 'second document' }] }
const head = rerank.readRequestHead(toJsonBytes(request))

describe('the request of a ranking', () => {
  it('is estimated by its query and all its documents', () => {
    const estimate = (change: object) => rerank.readRequestHead(toJsonBytes({ ...request, ...change })).prompt_estimate
    expect(estimate({ documents: ['x'.repeat(400)] })).toBe(Math.ceil(100 + 'Which one?'.length / 4))
    expect(estimate({ documents: ['x'.repeat(400), { text: 'y'.repeat(400) }] })).toBe(
      estimate({ documents: ['x'.repeat(800)] }),
    )
    // A document without a text is counted as it is written.
    expect(estimate({ documents: [{ title: 'x'.repeat(400) }] })).toBeGreaterThan(100)
  })

  it('has its texts checked, unless one of its documents has none', () => {
    expect(rerank.texts!(toJsonBytes(request))).toEqual(['Which one?', 'first document', 'second document'])
    expect(rerank.texts!(toJsonBytes({ ...request, documents: [{ image: 'https://host/a.png' }] }))).toEqual([])
  })

  it.each([
    ['query', { query: undefined }],
    ['query', { query: null }],
    ['query', { query: '' }],
    ['documents', { documents: undefined }],
    ['documents', { documents: [] }],
    ['documents', { documents: 'one' }],
  ])('is refused for its field %s: %j', (param, change) => {
    expect(() => rerank.readRequestHead(toJsonBytes({ ...request, ...change }))).toThrow(
      expect.objectContaining({ code: 'request.invalid', parameters: expect.objectContaining({ param }) }),
    )
  })
})

describe('the usage of a ranking', () => {
  it.each<[string, object, number]>([
    ['Jina and Voyage', { usage: { total_tokens: 38 } }, 38],
    ['Jina, with its prompt', { usage: { total_tokens: 38, prompt_tokens: 38 } }, 38],
    ['SiliconFlow', { meta: { tokens: { input_tokens: 38, output_tokens: 0 } } }, 38],
    [
      'SiliconFlow, with what it bills',
      { meta: { billed_units: { input_tokens: 40 }, tokens: { input_tokens: 38 } } },
      38,
    ],
    ['Cohere, with tokens', { meta: { billed_units: { input_tokens: 38, search_units: 1 } } }, 38],
  ])('is read as %s reports it', (_, answer, input) => {
    expect(rerank.usageOf(answer as Record<string, unknown>, head)).toMatchObject({
      input,
      output: 0,
      source: 'reported',
    })
  })

  it.each<[string, object]>([
    ['none', {}],
    ['only searches, like Cohere', { meta: { billed_units: { search_units: 1 } } }],
    ['zero', { usage: { total_tokens: 0 } }],
    ['null', { usage: null, meta: null }],
  ])('is estimated if the vendor reports %s', (_, answer) => {
    expect(rerank.usageOf(answer as Record<string, unknown>, head)).toMatchObject({
      ...{ input: head.prompt_estimate, output: 0, source: 'estimated', estimated_by: 'text' },
    })
  })

  it('is found in the members that are read of an answer', () => {
    expect(rerank.usageKeys).toEqual(expect.arrayContaining(['usage', 'meta']))
  })
})
