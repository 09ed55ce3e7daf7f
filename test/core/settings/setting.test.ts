// Every declared setting, and what the kinds of values accept.
import { describe, expect, test } from 'vitest'
import { toRules } from '../../../core/contract/field.ts'
import { endpointsByName } from '../../../core/contracts.ts'
import { cards, getCardTab, tabs } from '../../../core/settings/cards.data.ts'
import { findDeclaration, declaredSettings } from '../../../core/settings/index.ts'
import { buildPublicMembers, publicBefore, readPublicSettings } from '../../../core/settings/public.ts'
import {
  choice,
  count,
  decimal,
  flag,
  json,
  ratios,
  setting,
  type Setting,
  type SettingValue,
} from '../../../core/settings/setting.ts'
import { signInServiceList } from '../../../core/settings/sign-in-services.ts'
import { defaultSettings } from '../../../core/settings/snapshot.ts'
import { PublicStatus } from '../../../core/site/status.ts'
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
      expect(Object.hasOwn(tabs, getCardTab(card))).toBe(true)
      const beside = all.filter(([, other]) => other.card === card && other.order === order)
      expect(beside.map(([other]) => other)).toEqual([key])
      for (const [other, value] of Object.entries(shownWhen)) {
        expect(findDeclaration(other)?.card, other).toBeDefined()
        expect(typeof findDeclaration(other)?.value.default, other).toBe(typeof value)
      }
      if (tried !== undefined) expect([...endpointsByName.keys()]).toContain(tried)
      // A secret shows at most whether it is set.
      if (secret && shown) expect(toRules(shown.as!.type, 'output').type).toBe('boolean')
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

describe('a public setting', () => {
  const members = all.flatMap(([key, { value, public: member }]) => (member ? [{ key, value, ...member }] : []))
  const defaults = defaultSettings()

  test('has a name and a position of its own in the status', () => {
    const names = members.map(({ name }) => name)
    expect(names.length).toBeGreaterThan(30)
    expect(new Set(names).size).toBe(names.length)
    const orders = members.map(({ order }) => order).filter((order) => order !== undefined)
    expect(new Set(orders).size).toBe(orders.length)
    const inOrder = members.toSorted((one, other) => (one.order ?? Infinity) - (other.order ?? Infinity))
    expect(Object.keys(PublicStatus.shape)).toEqual([
      ...['version', 'start_time', 'setup'],
      ...inOrder.map(({ name }) => name),
      'enable_batch_update',
    ])
  })

  test('is shown as it is, or as its declaration converts it', async () => {
    const failures = await listFailures(
      members,
      ({ key }) => key,
      ({ key, name, as }) => {
        const changed = { ...defaults, [key]: 'another value' }
        const shown = (readPublicSettings(changed) as Record<string, unknown>)[name]
        expect(shown).toEqual(
          as ? as.convert('another value', (other) => (changed as Record<string, unknown>)[other]) : 'another value',
        )
      },
    )
    expect(failures).toEqual([])
  })

  test('passes the schema of the status with its default, and with what the console shows at first', () => {
    const facts = { version: '1.2.3', start_time: 0, setup: true, enable_batch_update: false }
    for (const values of [readPublicSettings(defaults), publicBefore]) {
      const status = { ...facts, ...values }
      expect(PublicStatus.parse(status)).toEqual(status)
    }
  })

  test('shows that Epay and Stripe are ready only with all that they need', () => {
    const epay = {
      ServerAddress: 'https://weir.example.com',
      PayAddress: 'https://pay.example',
      EpayId: '1',
      EpayKey: 'k',
    }
    const stripe = {
      ServerAddress: 'https://weir.example.com',
      'stripe.secret_key': 'sk_1',
      'stripe.webhook_secret': 'whsec_1',
    }
    for (const [name, needed] of [['enable_online_topup', epay] as const, ['enable_stripe_topup', stripe] as const]) {
      expect(readPublicSettings({ ...defaults, ...needed })[name]).toBe(true)
      for (const key of Object.keys(needed))
        expect(readPublicSettings({ ...defaults, ...needed, [key]: '' })[name], key).toBe(false)
    }
  })

  test('needs nothing but its declaration', () => {
    const declared = {
      ...declaredSettings,
      'test.seats': setting({
        value: count(3),
        label: { en: 'Seats', zh: '席位' },
        help: { en: 'How many people may sit', zh: '可坐的人数' },
        card: 'operation.general',
        order: 1000,
        public: { name: 'seats' },
        writer: 'root',
      }),
    }
    const { shape, read, before } = buildPublicMembers(declared as Record<string, Setting<unknown>>)
    expect(Object.keys(shape).at(-1)).toBe('seats')
    expect(shape.seats!.meta()).toMatchObject({ description: 'How many people may sit', examples: [3] })
    expect(toRules(shape.seats!, 'output')).toMatchObject({ type: 'number' })
    expect(read({ ...defaults, 'test.seats': 5 })).toEqual({ ...readPublicSettings(defaults), seats: 5 })
    expect(before).toEqual({ ...publicBefore, seats: 3 })
  })
})

describe('a value', () => {
  const reads = <T>(value: SettingValue<T>, text: string) => {
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
  'the setting of $type shows whether people can sign in with it',
  ({ setting: key, shown }) => {
    expect(findDeclaration(key)?.public?.name).toBe(shown)
  },
)
