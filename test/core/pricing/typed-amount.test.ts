// Amounts as people type them: every notation of a number gives that number, and everything else is refused.
import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeNegativeAmounts, parseQuotaFlag } from '../../../cli/input/amount.ts'
import {
  formatExactDollars,
  parseTypedAmount,
  toQuotaUnits,
  type AmountUnit,
} from '../../../core/pricing/typed-amount.ts'

const units = fc.constantFrom<AmountUnit>('quota', 'usd')
const wholes = fc.bigInt({ min: 0n, max: 9_007_199_254_740_991n })
const fractions = fc.option(fc.stringMatching(/^\d{1,6}$/), { nil: undefined })
const separators = fc.constantFrom('', ',', '_')
const notations = fc.constantFrom('plain', '-plain', '$', '-$', '$-', 'usd', ' USD', '-usd')

const group = (whole: bigint, separator: string) => whole.toString().replace(/\B(?=(\d{3})+$)/g, separator)

test('a number is itself in every notation, with or without groups of three', () => {
  fc.assert(
    fc.property(units, wholes, fractions, separators, notations, (unit, whole, fraction, separator, notation) => {
      const number = group(whole, separator) + (fraction === undefined ? '' : `.${fraction}`)
      const text = {
        plain: number,
        '-plain': `-${number}`,
        $: `$${number}`,
        '-$': `-$${number}`,
        '$-': `$-${number}`,
        usd: `${number}usd`,
        ' USD': `${number} USD`,
        '-usd': `-${number}usd`,
      }[notation] as string
      const typed = parseTypedAmount(text, unit)
      const value = new Decimal(`${whole}.${fraction ?? 0}`)
      const signed = notation.includes('-') ? value.negated() : value
      expect(typed && new Decimal(typed.number).equals(signed)).toBe(true)
      const inDollars = fraction !== undefined || /[$u]/i.test(notation)
      expect(typed?.unit).toBe(inDollars ? 'usd' : unit)
    }),
  )
})

test('an unquoted amount of dollars, as a shell hands it over, is refused or zero, never another amount with a point', () => {
  // `$1.50` becomes `.50` and `$1,500` becomes `,500`, as `$1` is an empty argument of the script.
  fc.assert(
    fc.property(fc.stringMatching(/^[.,]\d{1,4}([.,]\d{3})?$/), (text) => {
      expect(parseTypedAmount(text, 'quota')).toBeUndefined()
    }),
  )
})

test.each([
  ...['', ' ', '-', '$', 'usd', 'five', '1e3', '0x10', 'NaN', 'Infinity', '1 000', '+5', '--5', '5-', '-$-5', '-5-'],
  ...[
    '1,50',
    '$1,50',
    '1,5000',
    '12,34,567',
    '0,500',
    '1,000_000',
    '1,,000',
    '1_00',
    ',500',
    '.50',
    '5.',
    '5,',
    '$5usd',
  ],
  ...['1.5.0', '1.000,50', '€5', '5eur', '5$', '１'],
])('%j is no amount', (text) => {
  for (const unit of ['quota', 'usd'] as const) expect(parseTypedAmount(text, unit)).toBeUndefined()
})

test('dollars become the units that exact decimal arithmetic gives, and units the dollars they came from', () => {
  const rates = fc.constantFrom(500_000, 1, 1000, 500_000.5, 1e21)
  const amounts = fc.tuple(
    fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
    fc.integer({ min: 0, max: 999_999 }),
  )
  fc.assert(
    fc.property(rates, amounts, (rate, [whole, millionths]) => {
      const number = `${whole}.${String(millionths).padStart(6, '0')}`
      const exact = new (Decimal.clone({ precision: 100 }))(number).times(rate)
      const units = toQuotaUnits({ unit: 'usd', number }, rate)
      if (!exact.isInteger()) expect(units).toBe('fraction')
      else if (!Number.isSafeInteger(exact.toNumber())) expect(units).toBe('range')
      else {
        expect(units).toBe(exact.toNumber() + 0)
        expect(new Decimal(formatExactDollars(exact.toNumber(), rate)!).equals(number)).toBe(true)
      }
    }),
  )
  expect([0, 1, -2_500_000, 617_283_945].map((units) => formatExactDollars(units, 500_000))).toEqual([
    ...['0.00', '0.000002', '-5.00', '1234.56789'],
  ])
  expect(formatExactDollars(1, 3)).toBeUndefined()
})

test('a flag takes units and dollars, refuses parts of a unit, and zero where it would change nothing', () => {
  const money = { quota_per_unit: 500_000 }
  const parse = (text: string) => parseQuotaFlag('--quota', text)(money)
  expect(['5', '5.00', '$5', '5usd', '-$1', '1,000', '$0.000002'].map(parse)).toEqual([
    ...[5, 2_500_000, 2_500_000, 2_500_000, -500_000, 1000, 1],
  ])
  expect(() => parse('0.000001usd')).toThrow('500000 units are one dollar')
  expect(() => parse('9007199254740993')).toThrow('must be dollars')
  expect(() => parseQuotaFlag('<amount>', '0', { zero: 'refused' })).toThrow('write 50usd')
  expect(parse('0')).toBe(0)
})

test('amounts below zero are arguments, not flags; those of a program that Weir runs stay', () => {
  expect(escapeNegativeAmounts(['users', 'topup', 'ada', '-$1.50'])).toEqual(['users', 'topup', 'ada', '$-1.50'])
  expect(escapeNegativeAmounts(['users', 'topup', 'ada', '-5usd'])).toEqual(['users', 'topup', 'ada', '$-5'])
  expect(escapeNegativeAmounts(['--json', '-q', '-5', '--', '-$1'])).toEqual(['--json', '-q', '-5', '--', '-$1'])
  for (const args of [
    ['run', 'agent', '-$1'],
    ['--data', 'folder', 'run', 'agent', '-5usd'],
  ])
    expect(escapeNegativeAmounts(args)).toEqual(args)
})
