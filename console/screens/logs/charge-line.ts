// One line of a charge as text: the charged component, and the price of a number of units.
import type { Language } from '../../../core/errors.ts'
import type { PriceUnit } from '../../../core/pricing/component.ts'
import { findComponent } from '../../../core/pricing/components.ts'
import { formatDollars } from '../../../core/pricing/display.ts'
import { getTranslate, text, type TextKey } from '../../data/texts.tsx'

/** Number of units that a price is shown for, so that its digits are readable, and the text for it. */
const PRICED: Record<PriceUnit, { many: number; per: TextKey }> = {
  token: { many: 1_000_000, per: text('{price} / 1M') },
  character: { many: 1_000_000, per: text('{price} / 1M') },
  second: { many: 1, per: text('{price} / s') },
  piece: { many: 1, per: text('{price} / piece') },
  call: { many: 1, per: text('{price} / call') },
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
  return getTranslate(language)(per, { price: formatDollars((Number(price) * many) / quotaPerUnit, 4) })
}
