// Every declared setting, and what the kinds of values accept.
import { describe, expect, test } from 'vitest'
import { endpoints } from '../../../core/contracts.ts'
import { cards, tabOf, tabs } from '../../../core/settings/cards.data.ts'
import { findDeclaration, declaredSettings } from '../../../core/settings/index.ts'
import { choice, count, decimal, flag, json, ratios, type Setting, type Value } from '../../../core/settings/setting.ts'
import { signInServiceList } from '../../../core/settings/sign-in-services.ts'
import { Status } from '../../../core/site/contract.ts'
import { listFailures } from '../../support/list-failures.ts'

const CHINESE = /\p{Script=Han}/u
const all = Object.entries(declaredSettings as Record<string, Setting<unknown>>)
const nameSetting = ([key]: (typeof all)[number]) => key

describe('a declared setting', () => {
  test('reads back its own default', async () => {
    const failures = await listFailures(all, nameSetting, ([, { value }]) => {
      expect(value.schema.parse(value.encode(value.default))).toEqual(value.default)
    })
    expect(failures).toEqual([])
  })

  test('has its words in both languages, and its place', async () => {
    const failures = await listFailures(all, nameSetting, ([key, setting]) => {
      const { label, help, unit, danger, card, order, shownWhen = {}, test: tried, public: shown, secret } = setting
      const told = Object.entries({ label, help, ...(unit ? { unit } : {}), ...(danger ? { danger } : {}) })
      for (const [what, { en, zh }] of told) {
        expect(en.length, what).toBeGreaterThan(1)
        expect(en, what).not.toMatch(CHINESE)
        // Names of services and units are the same everywhere.
        if (zh !== en) expect(zh, what).toMatch(CHINESE)
        else expect(['Logo', 'KiB', 'MiB', 'HTML'], `${key} ${what}`).toContain(en)
      }
      expect(Object.hasOwn(cards, card)).toBe(true)
      expect(Object.hasOwn(tabs, tabOf(card))).toBe(true)
      const beside = all.filter(([, other]) => other.card === card && other.order === order)
      expect(beside.map(([other]) => other)).toEqual([key])
      for (const [other, value] of Object.entries(shownWhen)) {
        expect(findDeclaration(other)?.card, other).toBeDefined()
        expect(typeof findDeclaration(other)?.value.default, other).toBe(typeof value)
      }
      if (tried !== undefined) expect([...endpoints.keys()]).toContain(tried)
      if (shown !== undefined) expect(Object.keys(Status.shape)).toContain(shown)
      if (secret) expect(shown).toBeUndefined()
    })
    expect(failures).toEqual([])
  })

  test('stands on a card of the screen, and no card is empty', () => {
    expect([...new Set(all.map(([, { card }]) => card))].sort()).toEqual(Object.keys(cards).sort())
  })

  test('is found by its own key alone', () => {
    expect(findDeclaration('RetryTimes')).toBe(declaredSettings.RetryTimes)
    for (const key of ['retrytimes', '', 'constructor', '__proto__']) expect(findDeclaration(key)).toBeUndefined()
  })
})

describe('a value', () => {
  const reads = <T>(value: Value<T>, text: string) => {
    const parsed = value.schema.safeParse(text)
    return parsed.success ? parsed.data : 'refused'
  }

  test('of kind flag is true or false, and no other word', () => {
    expect(reads(flag(true), 'true')).toBe(true)
    for (const text of ['false', '']) expect(reads(flag(true), text)).toBe(false)
    for (const text of ['True', '1', 'yes', ' ']) expect(reads(flag(true), text)).toBe('refused')
  })

  test('of kind count is a whole number within its bounds', () => {
    const value = count(5, { min: 1, max: 20 })
    expect(reads(value, ' 20 ')).toBe(20)
    for (const text of ['0', '21', '1.5', '', ' ', 'two', '-1', 'NaN', 'Infinity', '1,000']) {
      expect(reads(value, text), text).toBe('refused')
    }
  })

  test('of kind decimal is a finite number within its bounds', () => {
    expect(reads(decimal(1), '0.075')).toBe(0.075)
    expect(reads(decimal(1), '1e-7')).toBe(1e-7)
    for (const text of ['-0.1', '', 'Infinity', 'NaN', '1.2.3']) expect(reads(decimal(1), text), text).toBe('refused')
  })

  test('of kind choice is one of its words', () => {
    const value = choice(['hour', 'day'], 'hour')
    expect(reads(value, 'day')).toBe('day')
    expect(reads(value, 'week')).toBe('refused')
  })

  test('of kind json has its shape', () => {
    const value = ratios({})
    expect(reads(value, '{"gpt-4o": 1.25, "free": 0}')).toEqual({ 'gpt-4o': 1.25, free: 0 })
    for (const text of ['', '{', '[]', 'null', '{"a": "1"}', '{"a": -1}', '{"a": null}', '1']) {
      expect(reads(value, text), text).toBe('refused')
    }
    expect(json(declaredSettings.Chats.value.schema, []).kind).toBe('json')
  })
})

test.each(signInServiceList)(
  'the browser knows of $type what its settings publish',
  ({ type, setting, shown, tells }) => {
    const published = all.flatMap(([key, { public: name, card }]) => (name === undefined ? [] : [{ key, name, card }]))
    expect(published.filter(({ name }) => name === shown)).toMatchObject([{ key: setting }])
    const own = published.filter(({ card }) => card === `system.${type}`)
    expect(Object.keys(tells).sort()).toEqual(own.map(({ name }) => name).sort())
  },
)
