// Texts for the rows of a price list: component, price and tiers.
import type { Language } from '../../../core/errors.ts'
import { findComponent } from '../../../core/pricing/components.ts'
import { fillPhrase } from '../../data/texts.tsx'
import type { PriceLine, PriceTiers } from './draft.ts'
import { words } from './texts.ts'

type Line = Omit<PriceLine, 'set_by'>

/** Returns the base price of a component; undefined if the model does not have it. */
export const findLinePrice = (lines: readonly Line[], component: string): number | undefined =>
  lines.find((line) => line.component === component && line.label === undefined)?.usd

/** Returns the price of a model that is sold only per call or picture. */
export const findPiecePrice = (lines: readonly Line[]): number | undefined =>
  findLinePrice(lines, 'call') ??
  (findLinePrice(lines, 'input') === undefined ? findLinePrice(lines, 'image') : undefined)

/** Returns a name such as `Image (1024x1024)`. */
export function formatLineName({ component, label }: Pick<Line, 'component' | 'label'>, language: Language): string {
  const name = findComponent(component)?.label[language] ?? component
  return label === undefined ? name : `${name} (${label})`
}

const UNITS: Record<Line['unit'], keyof (typeof words)['en']> = {
  token: 'perMillion',
  character: 'perMillion',
  second: 'perSecond',
  piece: 'other',
  call: 'perCall',
}
export const formatUnit = (unit: Line['unit'], language: Language): string => words[language][UNITS[unit]]

type Factor = NonNullable<PriceTiers['service']>[string]
const both = (factor: Factor) => (typeof factor === 'number' ? { input: factor, output: factor } : factor)

/** Returns each tier as a sentence. */
export function formatTiers(
  { prompt = [], service = {}, time = [], cache = {} }: PriceTiers,
  language: Language,
): string[] {
  const t = words[language]
  const formatTier = (phrase: string, factor: Factor, more: Record<string, string | number>) =>
    fillPhrase(phrase, { ...more, input: both(factor).input, output: both(factor).output })
  const windowName = ({ time_zone, days, hours }: NonNullable<PriceTiers['time']>[number]) =>
    [...(hours ?? []).map(([from, to]) => `${from}–${to} h`), days?.join(' ') ?? '', time_zone]
      .filter(Boolean)
      .join(' ')
  return [
    ...prompt.map(({ above, factor }) => formatTier(t.promptTier, factor, { n: above.toLocaleString('en-US') })),
    ...Object.entries(service).map(([name, factor]) => formatTier(t.serviceTier, factor, { name })),
    ...time.map((window) => formatTier(t.timeTier, window.factor, { name: windowName(window) })),
    ...Object.entries(cache).map(([name, write]) => fillPhrase(t.cacheTier, { name, write })),
  ]
}
