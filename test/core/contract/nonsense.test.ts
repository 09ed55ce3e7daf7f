// Nonsense in every field of every endpoint, in every setting and in the flags of the terminal: what is refused is refused in
// words people wrote, in both languages, with the field's label and path; never in the sentences of the validation library.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { noSession, type Caller } from '../../../core/auth/caller.ts'
import type { Endpoint } from '../../../core/contract/endpoint.ts'
import { findFieldDeclaration } from '../../../core/contract/field.ts'
import { GatewayError } from '../../../core/errors.ts'
import { declaredSettings } from '../../../core/settings/index.ts'
import { findTextRefusal, type Setting } from '../../../core/settings/setting.ts'
import { listFailures } from '../../support/list-failures.ts'
import { sampleCases } from '../../support/suite.ts'
import { openMemoryGateway, type MemoryGateway } from '../gateway.ts'
import { buildValidInput, endpointsWithInput, listFields, listParts } from './inputs.ts'

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
const THREE_WORDS = /[a-z] [a-z]+ [a-z]/i
const CHINESE = /\p{Script=Han}/u

const UNFILLED = /\{\w+\}|undefined|\[object/

/** Describes what is wrong with the words of a refusal. Plain conditions: 20,000 refusals go through here. */
function listTextFaults(error: unknown): string[] {
  if (!(error instanceof GatewayError)) return [`not refused by a GatewayError: ${String(error)}`]
  const [en, zh] = [error.text('en'), error.text('zh')]
  return [
    ...(error.code === 'server.bug' ? [`server.bug: ${error.detail}`] : []),
    ...(LIBRARY.test(en) ? [`a sentence of the library: ${en}`] : []),
    ...(UNFILLED.test(en) ? [`not filled in: ${en}`] : []),
    ...(CHINESE.test(zh) ? [] : [`not Chinese: ${zh}`]),
    ...(THREE_WORDS.test(zh) ? [`English inside of Chinese: ${zh}`] : []),
    ...(UNFILLED.test(zh) ? [`not filled in: ${zh}`] : []),
  ]
}

/** The value as it is read: null means absent in a body. */
const toReadValue = ({ body, nulls = [] }: Endpoint, field: string, value: unknown): unknown =>
  value === null && body && Object.hasOwn(body.shape, field) && !nulls.includes(field) ? undefined : value

/** All refusals of one kind in one test: each takes seconds, and minutes on a busy machine. */
const LONG = { timeout: 300_000 }

test('every field of a body is declared, with a label and help in both languages', () => {
  const undeclared = endpointsWithInput.flatMap(([name, { body }]) =>
    Object.entries((body?.shape ?? {}) as Record<string, z.ZodType>)
      .filter(([, schema]) => {
        const { label, help } = findFieldDeclaration(schema) ?? {}
        return !label || !help || ![label.zh, help.zh].every((text) => CHINESE.test(text) || text === label.en)
      })
      .map(([field]) => `${name} ${field}`),
  )
  expect(undeclared).toEqual([])
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

  test('in each field of every endpoint', LONG, async () => {
    const wrong: string[] = []
    for (const [name, endpoint] of endpointsWithInput) {
      const right = buildValidInput(endpoint)
      // Each value reaches each field below, in all fields at once: here a third of the pairs is enough for every run.
      const pairs = listParts(endpoint)
        .flatMap(listFields)
        .flatMap(([field, schema]) => NONSENSE.map(([kind, value]) => ({ field, schema, kind, value })))
      for (const { field, schema, kind, value } of sampleCases(pairs, 3)) {
        const error = await refusalOf(name, { ...right, [field]: value })
        if (error === undefined) continue
        const faults = [
          ...listTextFaults(error),
          ...listFieldFaults(error as GatewayError, field, schema, toReadValue(endpoint, field, value)),
        ]
        wrong.push(...faults.map((fault) => `${name} ${field}, ${kind}: ${fault}`))
      }
    }
    expect(wrong).toEqual([])
  })

  /** Forms show a refusal at its field, under the label of that field. */
  function listFieldFaults(refusal: GatewayError, field: string, schema: z.ZodType, value: unknown): string[] {
    const issue = schema.safeParse(value).error?.issues[0]
    if (!issue) return []
    const faults = refusal.field?.split('.')[0] === field ? [] : [`about the field ${refusal.field}`]
    // A field inside of this one has a label of its own.
    if (issue.path.length > 0 || refusal.code !== 'request.invalid') return faults
    const { label } = findFieldDeclaration(schema) ?? {}
    const [en, zh] = [refusal.text('en'), refusal.text('zh')]
    if (!en.includes(label ? `${label.en} (${field}` : field)) faults.push(`no label: ${en}`)
    if (!zh.includes(label ? `${label.zh}（${field}` : field)) faults.push(`no label: ${zh}`)
    return faults
  }

  test('in all fields of an endpoint at once: every field that is wrong is named', LONG, async () => {
    const wrong: string[] = []
    for (const [name, endpoint] of endpointsWithInput) {
      const fields = listParts(endpoint).flatMap(listFields)
      for (const [kind, value] of NONSENSE) {
        const refused = fields
          .filter(([field, schema]) => !schema.safeParse(toReadValue(endpoint, field, value)).success)
          .map(([field]) => field)
        if (refused.length === 0) continue
        const error = await refusalOf(name, Object.fromEntries(fields.map(([field]) => [field, value])))
        const faults = listTextFaults(error)
        if (error instanceof GatewayError) faults.push(...listNamingFaults(error, refused))
        wrong.push(...faults.map((fault) => `${name}, ${kind}: ${fault}`))
      }
    }
    expect(wrong).toEqual([])
  })

  function listNamingFaults(refusal: GatewayError, refused: string[]): string[] {
    const messages = refusal.fields('zh')
    const [expected, named] = [refused, messages.map(({ field }) => field.split('.')[0]!)].map((fields) =>
      [...new Set(fields)].sort().join(),
    )
    return [
      ...(named === expected ? [] : [`names ${named} instead of ${expected}`]),
      ...(messages[0]?.field === refusal.field && messages[0]?.message === refusal.text('zh')
        ? []
        : [`its first field is not its own: ${JSON.stringify(messages[0])}`]),
      ...refusal.others.flatMap(listTextFaults),
    ]
  }

  test('in a field that nobody declared is refused of every body', async () => {
    const withBody = endpointsWithInput.filter(([, { body }]) => body)
    const failures = await listFailures(
      withBody,
      ([name]) => name,
      async ([name, endpoint]) => {
        const error = await refusalOf(name, { ...buildValidInput(endpoint), allow_networks: ['x'] })
        expect(listTextFaults(error)).toEqual([])
        expect(error).toMatchObject({ code: 'request.unknown_field' })
      },
    )
    expect(failures).toEqual([])
  })
})

describe('nonsense in a setting', () => {
  const TEXTS = [
    ...['', 'nonsense', '5', '-1', '1.5', '1e30', 'true', 'null', '[]', '{}', '[5]', '{"a":5}', '{"a":{"b":-1}}'],
    ...['{"default":[1]}', '{"default":{"requests_per_minute":-1}}', '{"api":[1]}', '{"api":[-1,0]}', '[{"a":5}]'],
    ...['{"m":{"a b":["c"]}}', '{"m":{"a":["\\n"]}}', '{"*":{"by_hour":5}}', '{"*":{"context":[{}]}}', 'x\ny', '{'],
  ]

  test('is refused in words', LONG, () => {
    const wrong: string[] = []
    for (const [key, setting] of Object.entries(declaredSettings as Record<string, Setting<unknown>>)) {
      for (const text of TEXTS) {
        const refusal = findTextRefusal(key, setting, text)
        if (!refusal) continue
        const faults = listTextFaults(refusal)
        if (refusal.text('en').includes('(at )')) faults.push(`no place: ${refusal.text('en')}`)
        wrong.push(...faults.map((fault) => `${key} ${JSON.stringify(text)}: ${fault}`))
      }
    }
    expect(wrong).toEqual([])
  })
})
