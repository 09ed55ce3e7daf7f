// Words that a price depends on, in every spelling and format: priced and sent in one form, or refused; no spelling is cheaper.
import { afterEach, describe, expect, it } from 'vitest'
import { ALL_CALLER_FORMATS } from '../../core/dialects/caller-formats.ts'
import type { CallerDialect } from '../../core/dialects/dialect.ts'
import { anthropicMessages } from '../../core/dialects/anthropic-messages/index.ts'
import { scanObjectMembers, parseJsonRange } from '../../core/dialects/json/json-bytes.ts'
import { CHAT_PRICE_WORDS, IMAGE_PRICE_WORDS } from '../../core/dialects/requests/price-words.ts'
import { readFilmFields } from '../../core/dialects/tasks/film-limits.ts'
import { klingTaskFormat } from '../../core/dialects/tasks/kling.ts'
import { runwayTaskFormat } from '../../core/dialects/tasks/runway.ts'
import { TASK_FORMATS } from '../../core/dialects/tasks/task-formats.ts'
import { wanTaskFormat } from '../../core/dialects/tasks/wan.ts'
import { GatewayError } from '../../core/errors.ts'
import type { Operation } from '../../core/models/operation.ts'
import { estimateCost } from '../../core/pricing/estimate.ts'
import type { Price } from '../../core/pricing/price.ts'
import { getMaxUsage } from '../../core/relay/usage-bounds.ts'
import { checkPricedWords, withPricedWords } from '../../core/relay/model-candidates.ts'
import { listFailures } from '../support/list-failures.ts'
import { sampleCases } from '../support/suite.ts'
import { refusal, whole } from '../support/memory-upstream.ts'
import { openRelay, type Relayed } from '../core/relay/calls.ts'

const messages = [{ role: 'user', content: 'Hi' }]
/** A request in every format at once. */
const body = {
  ...{ messages, max_tokens: 5, prompt: 'a fish', input: 'Hi', image: 'AAAA' },
  contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
}
const WORDS: Readonly<Partial<Record<Operation, Readonly<Record<string, string>>>>> = {
  chat: CHAT_PRICE_WORDS,
  images: IMAGE_PRICE_WORDS,
}
const places = ALL_CALLER_FORMATS.flatMap((dialect) =>
  Object.entries(WORDS[dialect.operation] ?? {}).map(([member, kind]) => ({ dialect, member, kind })),
)

/** One word of each kind, and three times the price for it. */
const DEAR: Readonly<Record<string, string>> = { service: 'priority', geo: 'us', size: '1024x1792', quality: 'hd' }
const pricedBy: Price = {
  ...{ kind: 'per_usage', model_ratio: 1, completion_ratio: 1, cache_ratio: 1, create_cache_ratio: 1 },
  tiers: { service: { Priority: 3, batch: 0.5, 'geo:us': 3 } },
  image_multipliers: { '1024x1792': 3, HD: 3 },
}
const flat: Price = { ...pricedBy, tiers: {}, image_multipliers: {} }

/** JSON of the value, and what is made of it: the form that is sent, or a refusal. */
const spellings = (word: string): [string, string | 'refused'][] => [
  ...[word, word.toUpperCase(), ` ${word}`, `${word}\t\n`, ` ${word.toUpperCase()} `].map((text): [string, string] => [
    JSON.stringify(text),
    word,
  ]),
  [JSON.stringify(`${word}-plus`), 'refused'],
  [JSON.stringify('9999x9999 '), 'refused'],
  ['7', 'refused'],
  [`["${word}"]`, 'refused'],
  ['true', 'refused'],
]

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The body with the member before or behind the others, and twice: a plain word first, or last. */
function bodiesWith(member: string, json: string): string[] {
  const rest = JSON.stringify({ model: 'm', ...body }).slice(1, -1)
  const said = `"${member}":${json}`
  const escaped = `"\\u${member.charCodeAt(0).toString(16).padStart(4, '0')}${member.slice(1)}":${json}`
  return [`{${said},${rest}}`, `{${rest}, ${said} }`, `{"${member}":"auto",${rest},${said}}`, `{${escaped},${rest}}`]
}

/** What a call holds whose head the dialect reads, and what is sent. @throws GatewayError */
function taken(dialect: CallerDialect, text: string, price: Price) {
  const body = encoder.encode(text)
  const head = dialect.readRequestHead(body, { model: 'm' })
  checkPricedWords(head.words, price)
  const sent = withPricedWords(body, head.words, price)
  const { quota } = estimateCost(price, 1000, head, { PreConsumedQuota: 0, QuotaPerUnit: 500_000 })
  return { sent, same: sent === body, quota }
}

const refusedOr = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (error) {
    return error instanceof GatewayError && error.relay.status === 400 ? 'refused' : error
  }
}

describe('a word that a price depends on', () => {
  const cases = places.flatMap(({ dialect, member, kind }) =>
    spellings(DEAR[kind] ?? '').flatMap(([json, form]) =>
      bodiesWith(member, json).map((text) => ({ dialect, member, text, form })),
    ),
  )
  const nameOf = ({ dialect, text }: (typeof cases)[number]) => `${dialect.name} ${text}`

  it('is priced and sent in one form wherever it stands, or refused', async () => {
    const failures = await listFailures(sampleCases(cases, 3), nameOf, async (each) => {
      const { dialect, member, text, form } = each
      const plain = taken(dialect, JSON.stringify({ model: 'm', ...body }), pricedBy)
      const got = refusedOr(() => taken(dialect, text, pricedBy)) as ReturnType<typeof taken>
      if (form === 'refused') return expect(got).toBe('refused')
      expect(got.quota).toBe(3 * plain.quota)
      const said = scanObjectMembers(got.sent).members.filter(({ key }) => key === member)
      expect(new Set(said.map((range) => parseJsonRange(got.sent, range)))).toEqual(new Set([form]))
      // Every other byte is as it came.
      expect(JSON.parse(decoder.decode(got.sent))).toEqual({ ...JSON.parse(text), [member]: form })
    })
    expect(cases.length).toBeGreaterThan(500)
    expect(failures).toEqual([])
  })

  it('that comes twice says the same both times, whichever reader takes the first', async () => {
    const twice = places.flatMap(({ dialect, member, kind }) =>
      [null, kind === 'geo' ? 'global' : 'auto', ` ${kind === 'geo' ? 'GLOBAL' : 'AUTO'}`, ''].map((last) => ({
        ...{ dialect, member, dear: DEAR[kind] ?? '', last },
      })),
    )
    const failures = await listFailures(
      twice,
      ({ dialect, member, last }) => `${dialect.name} ${member} ${JSON.stringify(last)}`,
      ({ dialect, member, dear, last }) => {
        const rest = JSON.stringify({ model: 'm', ...body }).slice(1, -1)
        const text = `{"${member}":"${dear}",${rest},"${member}":${JSON.stringify(last)}}`
        const { sent } = taken(dialect, text, pricedBy)
        const said = scanObjectMembers(sent).members.filter(({ key }) => key === member)
        expect(said.map((range) => parseJsonRange(sent, range))).toEqual(
          Array(2).fill(last && last.trim().toLowerCase()),
        )
      },
    )
    expect(failures).toEqual([])
  })

  it('is in all that a call may cost', () => {
    for (const { dialect, member, kind } of places.filter(({ kind }) => kind === 'service' || kind === 'geo')) {
      const text = encoder.encode(JSON.stringify({ model: 'm', ...body, [member]: DEAR[kind] }))
      const head = dialect.readRequestHead(text, { model: 'm' })
      const usage = getMaxUsage({ inbound: dialect, body: text }, head, { price: pricedBy, listedName: 'm', facts: {} })
      expect(usage, `${dialect.name} ${member}`).toMatchObject(
        kind === 'geo' ? { inference_geo: 'us' } : { service_tier: 'priority' },
      )
    }
  })

  it('passes as it came where the price depends on none, and where it is missing', async () => {
    const passing = sampleCases(cases, 3).filter(({ text }) => !/:(7|true|\[")/.test(text))
    const failures = await listFailures(passing, nameOf, ({ dialect, text }) => {
      expect(taken(dialect, text, flat).same).toBe(true)
      expect(taken(dialect, JSON.stringify({ model: 'm', ...body }), pricedBy).same).toBe(true)
    })
    expect(failures).toEqual([])
  })
})

describe('the size of a film', () => {
  const given: Readonly<Record<string, (word: unknown) => object>> = {
    'ark-videos': (resolution) => ({ model: 'm', content: [{ type: 'text', text: 'a fish' }], resolution }),
    'minimax-h3': (resolution) => ({ model: 'm', content: [{ type: 'text', text: 'a fish' }], resolution }),
    'openai-videos': (resolution) => ({ model: 'm', prompt: 'a fish', resolution }),
    wan: (resolution) => ({ model: 'm', input: { prompt: 'a fish' }, parameters: { resolution } }),
    vidu: (resolution) => ({ model: 'm', prompt: 'a fish', resolution }),
    veo: (resolution) => ({ instances: [{ prompt: 'a fish' }], parameters: { resolution } }),
  }
  const price: Price = { kind: 'per_call', model_price: 1, image_multipliers: { '720p': 1, '1080p': 3 } }
  const films = TASK_FORMATS.flatMap((format) => {
    const request = given[format.name]
    return request ? [{ format, request }] : []
  })
  const words = ({ format, request }: (typeof films)[number], word: unknown) => {
    const ask = format.read({ body: encoder.encode(JSON.stringify(request(word))), path: { model: 'm' } })
    checkPricedWords(readFilmFields(ask), price)
    return format.headOf({ ...ask, model: 'm' }, undefined).film?.size
  }

  it.each(films)('of $format.name is read in one form, or refused', (film) => {
    for (const word of ['1080p', '1080P', ' 1080p ', '1080P\n']) expect(words(film, word)).toBe('1080p')
    expect(words(film, ' 480P')).toBe('480p')
    for (const word of ['full hd', '1080 p', '4k', 1080, ['1080p']])
      expect(
        refusedOr(() => words(film, word)),
        String(word),
      ).toBe('refused')
  })

  it('is read of the formats that have a word for it', () => expect(films.length).toBe(Object.keys(given).length))

  it.each([
    { format: klingTaskFormat, spelled: (word: string) => ({ prompt: 'a fish', mode: word }), words: [' PRO ', 'Pro'] },
    {
      format: runwayTaskFormat,
      spelled: (word: string) => ({ model: 'veo3.1', promptText: 'a fish', ratio: word }),
      words: [' 1920:1080 ', '1920X1080'],
    },
    {
      format: wanTaskFormat,
      spelled: (word: string) => ({ model: 'wan2.5-t2v-preview', input: { prompt: 'x' }, parameters: { size: word } }),
      words: ['1920*1080 ', '1920X1080'],
    },
  ])('of $format.name is read in its vendor’s own words', ({ format, spelled, words: spellings }) => {
    const read = (word: string) => format.read({ body: encoder.encode(JSON.stringify(spelled(word))), path: {} })
    for (const word of spellings) expect(read(word).film?.resolution, word).toBe('1080p')
    expect(refusedOr(() => checkPricedWords(readFilmFields(read('largest')), price))).toBe('refused')
  })
})

describe('a call', () => {
  const opened: Relayed[] = []
  afterEach(async () => {
    for (const { gateway } of opened.splice(0)) await gateway.close()
  })
  const open = async (tiers: object) => {
    const relay = await openRelay()
    opened.push(relay)
    const value = JSON.stringify({ 'gpt-4o': tiers })
    await relay.gateway.ask(await relay.gateway.as('root'), 'settings.update', {
      options: [{ key: 'PriceTiers', value }],
    })
    return relay
  }
  const usage = { prompt_tokens: 100, completion_tokens: 50 }

  it('is sent the word as it is priced, and costs what was asked for where nothing else is said', async () => {
    const relay = await open({ service: { priority: 3, flex: 0.5 } })
    const costs = async (asked: object, told: object): Promise<number | undefined> => {
      relay.gateway.upstream.reply(whole('x', usage, told))
      expect(await relay.run(asked)).not.toHaveProperty('error')
      return (await relay.logs())[0]?.quota
    }
    expect(await costs({}, {})).toBe(200)
    expect(await costs({ service_tier: ' PRIORITY ' }, {})).toBe(600)
    expect(relay.gateway.upstream.requests.at(-1)?.json.service_tier).toBe('priority')
    expect(await costs({ service_tier: 'Priority' }, { service_tier: 'default' })).toBe(200)
    expect(await costs({ service_tier: 'Priority' }, { service_tier: 'auto' })).toBe(600)
    expect(await costs({}, { service_tier: ' Priority' })).toBe(600)
    // What is cheaper is to be reported.
    expect(await costs({ service_tier: 'flex' }, {})).toBe(200)
    expect(await costs({ service_tier: 'flex' }, { service_tier: 'flex' })).toBe(100)
    const { error } = await relay.run({ service_tier: 'turbo' })
    expect(error).toMatchObject({ code: 'request.invalid', parameters: { param: 'service_tier' } })
    await relay.settled()
  })

  it('is sent the word as each model of it is priced, and falls back on none that does not know it', async () => {
    const relay = await openRelay({ channels: [{}, { models: 'bare' }, { models: 'tiered' }] })
    opened.push(relay)
    const { gateway, caller } = relay
    await gateway.ask(await gateway.as('root'), 'settings.update', {
      options: [
        { key: 'ModelRatio', value: '{"gpt-4o": 1, "bare": 1, "tiered": 1}' },
        { key: 'PriceTiers', value: '{"tiered": {"service": {"priority": 3}}}' },
      ],
    })
    caller.token = { ...caller.token!, fallback_models: 'tiered, bare' }
    gateway.upstream.reply(({ json }) => (json.model === 'gpt-4o' ? refusal(500, 'down') : whole('x', usage)))
    const sent = async (service_tier: string) => {
      const before = gateway.upstream.requests.length
      await relay.run({ service_tier })
      return gateway.upstream.requests.slice(before).map(({ json }) => [json.model, json.service_tier])
    }
    expect(await sent(' Priority')).toEqual([
      ['gpt-4o', ' Priority'],
      ['tiered', 'priority'],
    ])
    expect((await relay.logs())[0]?.detail).toMatchObject({ price_tier: 'priority' })
    expect(await sent('Turbo')).toEqual([
      ['gpt-4o', 'Turbo'],
      ['bare', 'Turbo'],
    ])
    await relay.settled()
  })

  it('costs by the place that was asked for or reported', async () => {
    const relay = await open({ service: { 'geo:us': 1.1 } })
    const content = [{ type: 'text', text: 'x' }]
    const costs = async (asked: object, told: object): Promise<number | undefined> => {
      const said = { input_tokens: 100, output_tokens: 50, ...told }
      const answer = { id: 'm', type: 'message', role: 'assistant', content, stop_reason: 'end_turn', usage: said }
      relay.gateway.upstream.reply({ parts: [JSON.stringify(answer)] })
      const body = encoder.encode(JSON.stringify({ model: 'gpt-4o', messages, max_tokens: 60, ...asked }))
      expect(await relay.run({}, { inbound: anthropicMessages, body })).not.toHaveProperty('error')
      return (await relay.logs())[0]?.quota
    }
    await relay.gateway.storage.channels.update(1, { type: 14 })
    await relay.gateway.storage.announce({ topic: 'channels', id: 0 })
    expect(await costs({}, { inference_geo: 'global' })).toBe(200)
    expect(await costs({ inference_geo: 'US ' }, {})).toBe(220)
    expect(relay.gateway.upstream.requests.at(-1)?.json.inference_geo).toBe('us')
    expect(await costs({ inference_geo: 'us' }, { inference_geo: 'not_available' })).toBe(200)
    expect(await costs({}, { inference_geo: 'US' })).toBe(220)
    await relay.settled()
  })
})
