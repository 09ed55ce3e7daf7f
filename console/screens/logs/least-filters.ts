// The filters of the log by a lower bound: how long a call took, and what it cost.
import { parseTypedAmount, toQuotaUnits } from '../../../core/pricing/typed-amount.ts'
import { useServerStatus } from '../../data/status.ts'
import { useLanguage, useText } from '../../data/texts.tsx'
import { useFormat } from '../../data/use-format.ts'
import type { ListFilter } from '../../parts/filters/filter.ts'
import { logColumnTexts } from './column-words.built.ts'

const DURATIONS_MS = [1000, 5000, 10_000, 30_000, 60_000]
const COSTS_USD = ['0.001', '0.01', '0.1', '1', '10']

const TYPED_DURATION = /^(\d+(?:\.\d+)?)\s*(ms|s|min)?$/i
const UNIT_MS = { ms: 1, s: 1000, min: 60_000 } as const

/** Parses `800`, `800 ms`, `2.5 s` or `1 min`, as ms. Returns undefined for anything else, and for no time at all. */
export function parseTypedDuration(typed: string): string | undefined {
  const [, amount, unit = 'ms'] = TYPED_DURATION.exec(typed.trim()) ?? []
  const ms = Math.round(Number(amount) * UNIT_MS[unit.toLowerCase() as keyof typeof UNIT_MS])
  return Number.isSafeInteger(ms) && ms > 0 ? String(ms) : undefined
}

export function useLeastFilters(): ListFilter<'min_ms' | 'min_quota'>[] {
  const t = useText()
  const { language } = useLanguage()
  const format = useFormat()
  const { quota_per_unit, display_in_currency } = useServerStatus()
  const toUnits = (typed: string, unit: 'usd' | 'quota'): string | undefined => {
    const amount = parseTypedAmount(typed, unit)
    const units = amount ? toQuotaUnits(amount, quota_per_unit) : undefined
    return typeof units === 'number' && units > 0 ? String(units) : undefined
  }
  /** An address may hold a text that is no number; it does not filter. */
  const formatLeast = (value: string, formatNumber: (number: number) => string) =>
    Number(value) > 0 ? t('at least {value}', { value: formatNumber(Number(value)) }) : value
  const formatDuration = (ms: string) => formatLeast(ms, format.duration)
  const formatCost = (units: string) =>
    formatLeast(units, (number) =>
      display_in_currency ? format.listPrice(number / quota_per_unit) : format.exactQuota(number),
    )
  return [
    {
      name: 'min_ms',
      label: t('Duration'),
      placeholder: t('Such as 800 ms or 2.5 s'),
      suggested: DURATIONS_MS.map((ms) => ({ value: String(ms), label: formatDuration(String(ms)) })),
      parseTyped: parseTypedDuration,
      formatValue: formatDuration,
    },
    {
      name: 'min_quota',
      label: logColumnTexts['quota']![language],
      placeholder: display_in_currency ? t('Such as $0.05') : t('Such as 25000'),
      suggested: COSTS_USD.flatMap((dollars) => {
        const value = toUnits(dollars, 'usd')
        return value === undefined ? [] : [{ value, label: formatCost(value) }]
      }),
      parseTyped: (typed) => toUnits(typed, display_in_currency ? 'usd' : 'quota'),
      formatValue: formatCost,
    },
  ]
}
