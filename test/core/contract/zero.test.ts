// Fields and settings in which 0 has a special meaning: their help and their errors explain it.
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { findFieldDeclaration, type FieldDeclaration } from '../../../core/contract/field.ts'
import { describeValidationRefusal } from '../../../core/contract/validation.ts'
import { endpointsByName } from '../../../core/contracts.ts'
import { declaredSettings } from '../../../core/settings/index.ts'
import { findTextRefusal, type Setting } from '../../../core/settings/setting.ts'
import { listFailures } from '../../support/list-failures.ts'
import { buildValidInput, endpointsWithInput } from './inputs.ts'

/** Every declaration that can be met on the way into a schema. */
function declaredIn(
  schema: z.ZodType,
  path: readonly PropertyKey[] = [],
): { path: readonly PropertyKey[]; field: FieldDeclaration }[] {
  const { shape = {} } = schema.def as { shape?: Record<string, z.ZodType> }
  const field = findFieldDeclaration(schema)
  return [
    ...(field ? [{ path, field }] : []),
    ...Object.entries(shape).flatMap(([name, inner]) => declaredIn(inner, [...path, name])),
    ...(field?.inside ? declaredIn(field.inside, path) : []),
  ]
}

/** Where 0 is no amount. */
const ZERO_BY_HAND = /\b0( or -1)? (for|keeps|limits|is no|means)|0 ?(表示|为)/

describe('where 0 stands for something else than an amount', () => {
  const bodies = endpointsWithInput.flatMap(([name, { body }]) =>
    body ? declaredIn(body as z.ZodType).map((found) => ({ name, body: body as z.ZodType, ...found })) : [],
  )
  const zeros = bodies.filter(({ field }) => field.zero)

  const nameZero = ({ name, path }: (typeof zeros)[number]) => `${name} ${path.map(String).join('.')}`
  test('every field says so in its help and of every wrong number', async () => {
    const failures = await listFailures(zeros, nameZero, ({ name, body, path, field }) => {
      expect(field.help.en).toMatch(new RegExp(`; 0 for ${field.zero?.en}$`))
      expect(field.help.zh).toMatch(new RegExp(`；0 表示${field.zero?.zh}$`))
      const [outer = '', ...inner] = path
      for (const value of [-1000, 'nonsense', true, 2 ** 70, null]) {
        const said = inner.length === 0 ? value : JSON.stringify({ [String(inner[0])]: value })
        const input = { ...buildValidInput(endpointsByName.get(name)!), [outer]: said }
        const { error } = body.safeParse(input)
        if (!error && value !== -1000) continue
        const refusal = describeValidationRefusal(error!, body, input)
        expect(refusal.text('en'), `${name} ${String(value)}`).toContain(`; 0 for ${field.zero?.en}`)
        expect(refusal.text('zh'), `${name} ${String(value)}`).toContain(`；0 表示${field.zero?.zh}`)
      }
    })
    expect(failures).toEqual([])
  })

  const settings = Object.entries(declaredSettings as Record<string, Setting<unknown>>)
  test('every setting says so, too', async () => {
    const zeroSettings = settings.filter(([, { zero }]) => zero)
    const failures = await listFailures(
      zeroSettings,
      ([key]) => key,
      ([key, setting]) => {
        for (const text of ['-2', '-1.5', 'nonsense', '1e30', '']) {
          const refusal = findTextRefusal(key, setting, text)
          expect(refusal?.text('en'), text).toContain(`; 0 for ${setting.zero?.en}`)
          expect(refusal?.text('zh'), text).toContain(`；0 表示${setting.zero?.zh}`)
          expect(setting.help.zh).toContain(`；0 表示${setting.zero?.zh}`)
        }
      },
    )
    expect(failures).toEqual([])
  })

  test.each([
    ['RateLimits', '{"default":{"requests_per_minute":-1}}'],
    ['RateLimits', '{"user:1":{"tokens_per_minute":0.5}}'],
    ['RateLimits', '{"group:vip":{"max_concurrent":"x"}}'],
    ['ApiRateLimits', '{"login":[-1,60]}'],
    ['ModelRequestRateLimitGroup', '{"vip":[-1,1]}'],
  ] as const)('inside of the setting %s: %s', (key, text) => {
    const refusal = findTextRefusal<never>(key, declaredSettings[key] as never, text)
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
