// One line of a charge as text: the charged component, and the price of a number of units.
import type { Language } from '../../../core/errors.ts'
import type { Unit } from '../../../core/pricing/component.ts'
import { findComponent } from '../../../core/pricing/components.ts'
import { dollars } from '../../../core/pricing/display.ts'
import { fillPhrase } from '../../data/texts.tsx'
import { words } from './texts.ts'

/** Number of units that a price is shown for, so that its digits are readable, and the text for it. */
const PRICED: Record<Unit, { many: number; per: keyof (typeof words)['en'] }> = {
  token: { many: 1_000_000, per: 'perMillion' },
  character: { many: 1_000_000, per: 'perMillion' },
  second: { many: 1, per: 'perSecond' },
  piece: { many: 1, per: 'perPiece' },
  call: { many: 1, per: 'perCall' },
}

/** Returns the component with its label: `Tool (web_search)`. Lines of other versions may name an unknown one. */
export function formatLineName({ what, label }: { what: string; label?: unknown }, language: Language): string {
  const name = findComponent(what)?.label[language] ?? what
  return typeof label === 'string' && label !== '' ? `${name} (${label})` : name
}

/** `price` is in quota units per unit of the component. */
export function formatLinePrice(
  { what, price }: { what: string; price: number | string },
  quotaPerUnit: number,
  language: Language,
): string {
  const { many, per } = PRICED[findComponent(what)?.unit ?? 'call']
  return fillPhrase(words[language][per], { price: dollars((Number(price) * many) / quotaPerUnit, 4) })
}
