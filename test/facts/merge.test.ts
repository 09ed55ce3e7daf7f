// Two lists that were made up become rows: whose word counts where they disagree, and what is left out.
import { describe, expect, it } from 'vitest'
import { buildFacts } from './build.ts'
import type { Correction } from './correct.ts'
import type { CatalogueFields } from '../../core/prices/catalogue.ts'
import type { Vendor } from './vendors.data.ts'

const vendors: Vendor[] = [
  {
    id: 'acme',
    modelsDev: ['acme', 'cloud'],
    liteLlm: ['acme'],
    own: /^(acme|gpt|gemini)-/,
    cloudName: /^cloud\.(acme-.+)-v1$/,
  },
]

interface Lists {
  own?: Record<string, object>
  cloud?: Record<string, object>
  liteLlm?: Record<string, object>
  corrections?: Correction[]
}

function build({ own = {}, cloud = {}, liteLlm = {}, corrections = [] }: Lists) {
  const copy = (list: CatalogueFields) => [JSON.stringify(list), list] as const
  const entries = Object.entries(liteLlm).map(([name, entry]) => [
    name,
    { litellm_provider: 'acme', mode: 'chat', ...entry },
  ])
  const { file, outdated } = buildFacts({
    modelsDev: copy({ acme: { models: own }, cloud: { models: cloud }, other: { models: { 'acme-9': dev(9, 9) } } }),
    liteLlm: copy(Object.fromEntries(entries) as CatalogueFields),
    ...{ date: '2026-11-29', vendors, corrections },
  })
  return { rows: file.models, names: file.models.map(([name]) => name), file, outdated }
}

/** An entry of models.dev. */
const dev = (context: number, output: number, more: object = {}) => ({
  limit: { context, output },
  release_date: '2026-03-01',
  modalities: { input: ['text', 'image'], output: ['text'] },
  cost: { input: 2, output: 8 },
  ...more,
})
/** An entry of LiteLLM's list, with USD of a token. */
const lite = (input: number, output: number, more: object = {}) => ({
  ...{
    max_input_tokens: 900,
    max_output_tokens: 90,
    input_cost_per_token: input / 1e6,
    output_cost_per_token: output / 1e6,
  },
  ...more,
})

describe('where the lists disagree', () => {
  it('LiteLLM has the price, models.dev limits, content and the day', () => {
    const { rows } = build({ own: { 'acme-1': dev(1000, 100) }, liteLlm: { 'acme/acme-1': lite(3, 9) } })
    expect(rows).toEqual([
      ['acme-1', 'acme', 'chat', 1000, 100, '2026-03-01', 'text image', 'text', { input: 3, output: 9 }],
    ])
  })

  it('each fills in what the other does not have', () => {
    const { rows } = build({
      own: {
        'acme-1': dev(1000, 100, { cost: { input: 2, output: 8, tiers: [tier] } }),
        'acme-2': dev(0, 0, { cost: {} }),
      },
      liteLlm: { 'acme-2': lite(3, 9), 'acme-3': lite(1, 2, { supports_vision: true }), 'acme-1': { max_tokens: 5 } },
    })
    expect(rows).toEqual([
      [
        ...['acme-1', 'acme', 'chat', 1000, 100, '2026-03-01', 'text image', 'text', { input: 2, output: 8 }],
        [{ above: 500, factor: { input: 2, output: 1.5 } }],
      ],
      ['acme-2', 'acme', 'chat', 900, 90, '2026-03-01', 'text image', 'text', { input: 3, output: 9 }],
      ['acme-3', 'acme', 'chat', 900, 90, '', 'text image', 'text', { input: 1, output: 2 }],
    ])
  })
  const tier = { input: 4, output: 12, tier: { size: 500 } }

  it('a cloud counts after the vendor, under the vendor’s name, and its content after LiteLLM’s', () => {
    const { rows } = build({
      own: { 'acme-1': dev(1000, 100) },
      cloud: { 'acme-1': dev(7, 7), 'cloud.acme-2-v1': dev(2000, 200, { modalities: { input: ['audio'] } }) },
      liteLlm: { 'acme-2': lite(3, 9, { supports_vision: false }) },
    })
    expect(rows.map(([name, , , context, , , reads]) => [name, context, reads])).toEqual([
      ['acme-1', 1000, 'text image'],
      ['acme-2', 2000, 'text'],
    ])
  })

  it('the name tells the kind, then LiteLLM’s mode, then what is written', () => {
    const film = { modalities: { input: ['text'], output: ['video'] } }
    const { rows } = build({
      own: { 'acme-film': dev(10, 10, film), 'acme-embed': dev(10, 10) },
      liteLlm: {
        'gemini-picture': lite(1, 1, { mode: 'image_generation' }),
        'acme-order': lite(1, 0, { mode: 'rerank' }),
        'acme-pages': lite(1, 1, { mode: 'ocr' }),
      },
    })
    expect(rows.map(([name, , kind, context, output]) => [name, kind, context, output])).toEqual([
      ['acme-embed', 'embeddings', 10, 0],
      ['acme-film', 'video', 0, 0],
      ['acme-order', 'rerank', 900, 0],
      ['gemini-picture', 'chat', 900, 90],
    ])
  })
})

describe('what a list states and nobody can charge by', () => {
  it('a price of 0 is none, and parts of 0 are left out', () => {
    const free = { cost: { input: 0, output: 0 } }
    const { rows } = build({
      own: { 'acme-1': dev(1000, 100, free), 'acme-2': dev(1000, 100) },
      liteLlm: { 'acme-2': lite(0, 0), 'acme-3': lite(1, 0, { cache_creation_input_token_cost: 0 }) },
    })
    expect(rows.map(([name, , , , , , , , usd]) => [name, usd])).toEqual([
      ['acme-1', null],
      ['acme-2', { input: 2, output: 8 }],
      ['acme-3', { input: 1 }],
    ])
  })

  it('seconds of sound are a price only where calls are counted by them', () => {
    const heard = { mode: 'audio_transcription', input_cost_per_second: 0.0001 }
    const { rows } = build({ liteLlm: { 'acme-asr': heard, 'gpt-hears': heard, 'acme-realtime': heard } })
    expect(rows.map(([name, , kind, , , , , , usd]) => [name, kind, usd])).toEqual([
      ['acme-asr', 'transcription', { input: 6 }],
    ])
  })
})

describe('names of one model', () => {
  it('a dated name is left out unless its price or, in models.dev, its limits are others', () => {
    const { names, rows } = build({
      own: { 'acme-1': dev(1000, 100), 'acme-1-20260101': dev(1000, 100), 'acme-1-20260202': dev(500, 50) },
      liteLlm: {
        'acme-1': lite(3, 9),
        'acme-1-20260101': lite(3, 9),
        'acme-1-20260202': lite(3, 9),
        'acme-1-20260303': lite(3, 9),
        'acme-1-20260404': lite(4, 9),
        'acme-2-20260505': lite(1, 1),
      },
    })
    expect(names).toEqual(['acme-1', 'acme-1-20260202', 'acme-1-20260404', 'acme-2'])
    expect(rows.at(-1)![5]).toBe('2026-05-05')
  })

  it('a latest name that models.dev has stands before a plain one that it has not', () => {
    const { rows } = build({ own: { 'acme-1-latest': dev(1000, 100) }, liteLlm: { 'acme-1': lite(3, 9) } })
    expect(rows.map(([name, , , context]) => [name, context])).toEqual([['acme-1', 1000]])
  })
})

describe('corrections', () => {
  const own = { 'acme-1': dev(1000, 100) }
  const source = 'the page of Acme'

  it('stand over both lists, and add what neither has', () => {
    const { rows, outdated } = build({
      own,
      corrections: [
        { name: 'acme-1', vendor: 'acme', source, facts: { output: 200 } },
        { name: 'acme-0', vendor: 'acme', source, facts: { context: 5, usd: { call: 1 } } },
      ],
    })
    expect(rows).toEqual([
      ['acme-0', 'acme', 'chat', 5, 0, '', 'text', 'text', { call: 1 }],
      ['acme-1', 'acme', 'chat', 1000, 200, '2026-03-01', 'text image', 'text', { input: 2, output: 8 }],
    ])
    expect(outdated).toEqual([])
  })

  it('are complained of once the lists agree with them', () => {
    const corrections = [{ name: 'acme-1', vendor: 'acme', source, facts: { output: 100 } }]
    expect(build({ own, corrections }).outdated).toEqual(['acme-1'])
  })
})

it('the file names both copies, with what is newest in them and their sums', () => {
  const { file } = build({ own: { 'acme-1': dev(1, 1, { last_updated: '2026-04-04' }) }, liteLlm: { a: {} } })
  expect(file.sources).toEqual([
    { name: 'models.dev', models: 2, newest: '2026-04-04', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    { name: 'LiteLLM', models: 1, newest: '', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
  ])
})
