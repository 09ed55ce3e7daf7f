// A price with its unit: `$2.50 / 1M tokens`.
import { priceText } from '../../../core/pricing/display.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import type { PricedLine } from './prices.ts'
import { words } from './texts.ts'

const UNITS = {
  token: 'perMillion',
  character: 'perMillionCharacters',
  second: 'perSecond',
  piece: 'perPiece',
  call: 'call',
} as const satisfies Record<PricedLine['unit'], keyof (typeof words)['en']>

/** `usd` is the price of the line for the group of the user. */
export function useLineText(): (line: PricedLine, usd: number) => string {
  const t = useTexts(words)
  return ({ unit }, usd) => fillPhrase(t[UNITS[unit]], { price: priceText(usd) })
}
