// Nonsense in every field of every endpoint, in every setting and in the flags of the terminal: what is refused is refused in
// words people wrote, in both languages, with the field's label and path; never in the sentences of the validation library.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { endpointInput } from '../../../cli/endpoint-input.ts'
import { noSession, type Caller } from '../../../core/auth/caller.ts'
import type { Endpoint } from '../../../core/contract/endpoint.ts'
import { fieldOf, type Field } from '../../../core/contract/field.ts'
import { validationRefusal } from '../../../core/contract/validation.ts'
import { endpoints } from '../../../core/contracts.ts'
import { GatewayError } from '../../../core/errors.ts'
import { declaredSettings } from '../../../core/settings/index.ts'
import { textRefusal, type Setting } from '../../../core/settings/setting.ts'
import { openMemoryGateway, type MemoryGateway } from '../gateway.ts'

const NONSENSE: [kind: string, value: unknown][] = [
  ['a text', 'nonsense'],
  ['an empty text', ''],
  ['a long text', 'x'.repeat(5000)],
  ['a text of two lines', 'a\nb'],
  ['a text that cannot be stored', 'a\0b'],
  ['a JSON text of no use', '{"proxy":5,"headers":{"a b":"c"},"first_content_timeout_seconds":{"m":-1}}'],
  ['a JSON text of what is ours', '{"headers":{"Host":"x"}}'],
  ['a negative number', -1000],
  ['a broken number', 1.5],
  ['a number out of bounds', 2 ** 60],
  ['a flag', true],
  ['null', null],
  ['a list', [{ key: 5, value: {} }]],
  ['an object', { nested: { deeper: [1] } }],
]

/** How the validation library begins and ends its sentences. */
const LIBRARY =
  /\b(Invalid (input|option|string|number|key|value|element|discriminator|URL|email|IP)|Too (big|small)|Unrecognized key|expected .+, received|must (match pattern|(start with|end with|include) ")|multiple of|More than one)/i
const THREE_WORDS = /[a-z]+ [a-z]+ [a-z]+/i
const CHINESE = /\p{Script=Han}/u

function expectWords(error: unknown, about: string): GatewayError {
  expect(error, about).toBeInstanceOf(GatewayError)
  const refusal = error as GatewayError
  const [en, zh] = [refusal.text('en'), refusal.text('zh')]
  expect(refusal.code, `${about}: ${refusal.detail}`).not.toBe('server.bug')
  expect(en, about).not.toMatch(LIBRARY)
  expect(en, about).not.toMatch(/\{\w+\}|undefined|\[object/)
  expect(zh, about).toMatch(CHINESE)
  expect(zh, about).not.toMatch(THREE_WORDS)
  expect(zh, about).not.toMatch(/\{\w+\}|undefined|\[object/)
  return refusal
}

const partsOf = ({ params, query, body }: Endpoint) => [params, query, body].filter((part) => part !== undefined)
/** Whoever makes others wait, or hashes what is long, is not asked with what is right. */
const named = [...endpoints].filter(([, endpoint]) => partsOf(endpoint).length > 0)

test('every field of a body is declared, with a label and help in both languages', () => {
  const undeclared = named.flatMap(([name, { body }]) =>
    Object.entries((body?.shape ?? {}) as Record<string, z.ZodType>)
      .filter(([, schema]) => {
        const { label, help } = fieldOf(schema) ?? {}
        return !label || !help || ![label.zh, help.zh].every((text) => CHINESE.test(text) || text === label.en)
      })
      .map(([field]) => `${name} ${field}`),
  )
  expect(undeclared).toEqual([])
})

/** Every declaration that can be met on the way into a schema. */
function declaredIn(
  schema: z.ZodType,
  path: readonly PropertyKey[] = [],
): { path: readonly PropertyKey[]; field: Field }[] {
  const { shape = {} } = schema.def as { shape?: Record<string, z.ZodType> }
  const field = fieldOf(schema)
  return [
    ...(field ? [{ path, field }] : []),
    ...Object.entries(shape).flatMap(([name, inner]) => declaredIn(inner, [...path, name])),
    ...(field?.inside ? declaredIn(field.inside, path) : []),
  ]
}

/** Where 0 is no amount. */
const ZERO_BY_HAND = /\b0( or -1)? (for|keeps|limits|is no|means)|0 ?(表示|为)/

describe('where 0 stands for something else than an amount', () => {
  const bodies = named.flatMap(([name, { body }]) =>
    body ? declaredIn(body as z.ZodType).map((found) => ({ name, body: body as z.ZodType, ...found })) : [],
  )
  const zeros = bodies.filter(({ field }) => field.zero)

  test.each(zeros)('$name $path says so in its help and of every wrong number', ({ name, body, path, field }) => {
    expect(field.help.en).toMatch(new RegExp(`; 0 for ${field.zero?.en}$`))
    expect(field.help.zh).toMatch(new RegExp(`；0 表示${field.zero?.zh}$`))
    const [outer = '', ...inner] = path
    for (const value of [-1000, 'nonsense', true, 2 ** 70, null]) {
      const said = inner.length === 0 ? value : JSON.stringify({ [String(inner[0])]: value })
      const input = { ...valid(endpoints.get(name)!), [outer]: said }
      const { error } = body.safeParse(input)
      if (!error && value !== -1000) continue
      const refusal = validationRefusal(error!, body, input)
      expect(refusal.text('en'), `${name} ${String(value)}`).toContain(`; 0 for ${field.zero?.en}`)
      expect(refusal.text('zh'), `${name} ${String(value)}`).toContain(`；0 表示${field.zero?.zh}`)
    }
  })

  const settings = Object.entries(declaredSettings as Record<string, Setting<unknown>>)
  test.each(settings.filter(([, { zero }]) => zero))('setting %s says so, too', (key, setting) => {
    for (const text of ['-2', '-1.5', 'nonsense', '1e30', '']) {
      const refusal = textRefusal(key, setting, text)
      expect(refusal?.text('en'), text).toContain(`; 0 for ${setting.zero?.en}`)
      expect(refusal?.text('zh'), text).toContain(`；0 表示${setting.zero?.zh}`)
      expect(setting.help.zh).toContain(`；0 表示${setting.zero?.zh}`)
    }
  })

  test.each([
    ['RateLimits', '{"default":{"requests_per_minute":-1}}'],
    ['RateLimits', '{"user:1":{"tokens_per_minute":0.5}}'],
    ['RateLimits', '{"group:vip":{"max_concurrent":"x"}}'],
    ['ApiRateLimits', '{"login":[-1,60]}'],
    ['ModelRequestRateLimitGroup', '{"vip":[-1,1]}'],
  ] as const)('inside of the setting %s: %s', (key, text) => {
    const refusal = textRefusal<never>(key, declaredSettings[key] as never, text)
    expect(refusal?.text('en')).toContain('0 for no limit')
    expect(refusal?.text('zh')).toContain('0 表示不限制')
  })

  test('nobody writes it by hand', () => {
    const byHand = [
      ...bodies
        .filter(({ field }) => !field.zero)
        .map(({ name, path, field }) => ({ at: `${name} ${path.join('.')}`, field })),
      ...settings.filter(([, { zero, value }]) => !zero && value.kind !== 'json').map(([at, field]) => ({ at, field })),
    ]
    const wrong = byHand.filter(({ field: { help } }) => ZERO_BY_HAND.test(help.en) || ZERO_BY_HAND.test(help.zh))
    expect(wrong.map(({ at }) => at)).toEqual([])
    expect(zeros.length).toBeGreaterThan(15)
  })
})

describe('nonsense', () => {
  let gateway: MemoryGateway
  let root: Caller
  beforeAll(async () => {
    gateway = await openMemoryGateway()
    root = { ...(await gateway.as('root')), via: 'local' }
  })
  afterAll(() => gateway.close())

  const refusalOf = async (name: string, input: Record<string, unknown>): Promise<unknown> =>
    gateway.dispatch(name, input, { caller: root, session: noSession }).then(
      () => undefined,
      (error: unknown) => error,
    )

  test.each(named)('in each field of %s', async (name, endpoint) => {
    for (const part of partsOf(endpoint)) {
      for (const [field, schema] of Object.entries(part.shape as Record<string, z.ZodType>)) {
        for (const [kind, value] of NONSENSE) {
          const error = await refusalOf(name, { ...valid(endpoint), [field]: value })
          if (error === undefined) continue
          const about = `${name} ${field}: ${kind}`
          const refusal = expectWords(error, about)
          const issue = schema.safeParse(value).error?.issues[0]
          // Forms show it at the field.
          if (issue) expect(refusal.field?.split('.')[0], about).toBe(field)
          // What lies deeper has a label of its own.
          if (!issue || issue.path.length > 0 || refusal.code !== 'request.invalid') continue
          const [label, english, chinese] = [fieldOf(schema)?.label, refusal.text('en'), refusal.text('zh')]
          expect(english, about).toContain(label ? `${label.en} (${field}` : field)
          expect(chinese, about).toContain(label ? `${label.zh}（${field}` : field)
        }
      }
    }
  })

  test.each(named)('in all fields of %s at once: every field that is wrong is named', async (name, endpoint) => {
    const fields = partsOf(endpoint).flatMap((part) => Object.entries(part.shape as Record<string, z.ZodType>))
    for (const [kind, value] of NONSENSE) {
      const wrong = fields.filter(([, schema]) => !schema.safeParse(value).success).map(([field]) => field)
      if (wrong.length === 0) continue
      const refusal = expectWords(
        await refusalOf(name, Object.fromEntries(fields.map(([field]) => [field, value]))),
        name,
      )
      const said = refusal.fields('zh')
      expect([...new Set(said.map(({ field }) => field.split('.')[0]))].sort(), `${name}: ${kind}`).toEqual(
        [...new Set(wrong)].sort(),
      )
      expect(said[0], `${name}: ${kind}`).toEqual({ field: refusal.field, message: refusal.text('zh') })
      for (const each of refusal.others) expectWords(each, `${name}: ${kind}`)
    }
  })

  test('in a field that nobody declared is refused of every body', async () => {
    for (const [name, endpoint] of named.filter(([, { body }]) => body)) {
      const error = await refusalOf(name, { ...valid(endpoint), allow_networks: ['x'] })
      expect(expectWords(error, name).code, name).toBe('request.unknown_field')
    }
  })

  test.each(named)('on the command line, in each flag of %s', (name, endpoint) => {
    for (const part of partsOf(endpoint)) {
      for (const field of Object.keys(part.shape)) {
        for (const [kind, value] of NONSENSE) {
          const said = messageOf(() =>
            endpointInput(endpoint, [], JSON.stringify({ ...valid(endpoint), [field]: value })),
          )
          if (said !== undefined) expect(said, `${name} ${kind}`).not.toMatch(LIBRARY)
          if (said !== undefined) expect(said, `${name} ${kind}`).toMatch(/^--.+\.$/)
        }
      }
    }
  })
})

describe('nonsense in a setting', () => {
  const TEXTS = [
    ...['', 'nonsense', '5', '-1', '1.5', '1e30', 'true', 'null', '[]', '{}', '[5]', '{"a":5}', '{"a":{"b":-1}}'],
    ...['{"default":[1]}', '{"default":{"requests_per_minute":-1}}', '{"api":[1]}', '{"api":[-1,0]}', '[{"a":5}]'],
    ...['{"m":{"a b":["c"]}}', '{"m":{"a":["\\n"]}}', '{"*":{"by_hour":5}}', '{"*":{"context":[{}]}}', 'x\ny', '{'],
  ]

  test.each(Object.entries(declaredSettings as Record<string, Setting<unknown>>))('%s', (key, setting) => {
    for (const text of TEXTS) {
      const refusal = textRefusal(key, setting, text)
      if (refusal) expect(expectWords(refusal, `${key}: ${text}`).text('en')).not.toContain('(at )')
    }
  })
})

/** What makes the fields beside the one in question pass. */
function valid({ params, query, body }: Endpoint): Record<string, unknown> {
  const candidates = [
    1,
    'default',
    'a',
    [1],
    ['a'],
    {},
    true,
    'https://a.example',
    'read',
    'disable',
    'epay',
    'new-api',
    'disk',
    `age1${'q'.repeat(58)}`,
    [],
  ]
  const shape: Record<string, z.ZodType> = { ...params?.shape, ...query?.shape, ...body?.shape }
  return Object.fromEntries(
    Object.entries(shape)
      .filter(([, schema]) => !schema.safeParse(undefined).success)
      .map(([field, schema]) => [field, candidates.find((value) => schema.safeParse(value).success)]),
  )
}

function messageOf(work: () => unknown): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
