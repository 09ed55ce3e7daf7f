// The price of a call in a row of the log, short and complete, for each kind of price.
import { expect, it } from 'vitest'
import type { CallDetail } from '../../core/calls/detail.ts'
import { formatShortPrice, formatRatios } from '../../console/screens/logs/ratios.ts'
import { getTranslate } from '../../console/data/texts.tsx'

const text = { model_ratio: 1.25, completion_ratio: 4, group_ratio: 2, model_price: -1 }
const cached = { ...text, cache_tokens: 30, cache_ratio: 0.5 }
const claude = { ...text, claude: true, cache_creation_tokens: 9, cache_ratio: 0.1, cache_creation_ratio: 1.25 }
const base = 'Model ratio 1.25, output ratio 4, group ratio 2'

it.each<[kind: string, detail: CallDetail, short: string, whole: string]>([
  ['by the call', { ...text, model_price: 0.5 }, 'price: $0.5 * group: 2', 'Model price $0.5, group ratio 2'],
  ['for nothing', { ...text, model_price: 0 }, 'price: $0 * group: 2', 'Model price $0, group ratio 2'],
  ['text', text, 'model: 1.25 * group: 2', base],
  ['text from a cache', cached, 'model: 1.25 * group: 2 * cache: 0.5', `${base}, cache ratio 0.5`],
  [
    'Claude, into a cache',
    claude,
    'model: 1.25 * group: 2 * cache: 0.1',
    `${base}, cache ratio 0.1, cache creation ratio 1.25`,
  ],
  [
    'pictures',
    { ...text, image: true, image_ratio: 3 },
    'model: 1.25 * group: 2 * image: 3',
    `${base}, image input ratio 3`,
  ],
  [
    'searches',
    { ...text, web_search: true, web_search_call_count: 2 },
    'model: 1.25 * group: 2',
    `${base}, Web search calls 2`,
  ],
])('%s', (_, detail, short, whole) => {
  expect([formatShortPrice(detail, getTranslate('en')), formatRatios(detail, getTranslate('en'))]).toEqual([
    short,
    whole,
  ])
})
