// Texts for the rows of a price list: component, price and tiers.
import type { Language } from '../../../core/errors.ts'
import { findComponent } from '../../../core/pricing/components.ts'
import { getTranslate, texts } from '../../data/texts.tsx'
import type { PriceLine, PriceTiers } from './draft.ts'

type FormattedLine = Omit<PriceLine, 'set_by'>

/** Returns the base price of a component; undefined if the model does not have it. */
export const findLinePrice = (lines: readonly FormattedLine[], component: string): number | undefined =>
  lines.find((line) => line.component === component && line.label === undefined)?.usd

/** Returns the price of a model that is sold only per call or picture. */
export const findPiecePrice = (lines: readonly FormattedLine[]): number | undefined =>
  findLinePrice(lines, 'call') ??
  (findLinePrice(lines, 'input') === undefined ? findLinePrice(lines, 'image') : undefined)

/** Returns a name such as `Image (1024x1024)`. */
export function formatLineName(
  { component, label }: Pick<FormattedLine, 'component' | 'label'>,
  language: Language,
): string {
  const name = findComponent(component)?.label[language] ?? component
  return label === undefined ? name : `${name} (${label})`
}

const UNITS = texts<FormattedLine['unit']>({
  token: '$ per 1M',
  character: '$ per 1M',
  second: 'Per second',
  piece: 'Per piece',
  call: 'Per call',
})
export const formatUnit = (unit: FormattedLine['unit'], language: Language): string =>
  getTranslate(language)(UNITS[unit])

type LineFactor = NonNullable<PriceTiers['service']>[string]
const both = (factor: LineFactor) => (typeof factor === 'number' ? { input: factor, output: factor } : factor)

/** Returns each tier as a sentence. */
export function formatTierSentences(
  { prompt = [], service = {}, time = [], cache = {} }: PriceTiers,
  language: Language,
): string[] {
  const t = getTranslate(language)
  const windowName = ({ time_zone, days, hours }: NonNullable<PriceTiers['time']>[number]) =>
    [...(hours ?? []).map(([from, to]) => `${from}–${to} h`), days?.join(' ') ?? '', time_zone]
      .filter(Boolean)
      .join(' ')
  return [
    ...prompt.map(({ above, factor }) =>
      t('prompts of more than {n} tokens: input × {input}, output × {output}', {
        ...both(factor),
        n: above.toLocaleString('en-US'),
      }),
    ),
    ...Object.entries(service).map(([name, factor]) =>
      t('service tier {name}: input × {input}, output × {output}', { ...both(factor), name }),
    ),
    ...time.map((window) =>
      t('at {name}: input × {input}, output × {output}', { ...both(window.factor), name: windowName(window) }),
    ),
    ...Object.entries(cache).map(([name, write]) => t('cache lifetime {name}: writing × {write}', { name, write })),
  ]
}
