// The price list says what is charged: so many of a component cost what its row says.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Usage } from '../../../core/dialects/answers/usage.ts'
import { OPERATIONS } from '../../../core/models/operation.ts'
import { charge } from '../../../core/pricing/charge.ts'
import type { PriceComponent } from '../../../core/pricing/component.ts'
import { PRICE_COMPONENTS, type ComponentName } from '../../../core/pricing/components.ts'
import type { Price } from '../../../core/pricing/price.ts'
import { listModelPrices } from '../../../core/pricing/price-list.ts'

const UNIT = 500_000
const NO_USAGE: Usage = {
  ...{ input: 0, cache_read: 0, cache_write: 0, cache_write_1h: 0, output: 0, reasoning: 0, source: 'reported' },
}
const ratio = fc.constantFrom(0.1, 0.29, 1, 1.25, 2.5, 8)
const maybe = fc.option(ratio, { nil: undefined })
const said = <T extends object>(price: T): T =>
  Object.fromEntries(Object.entries(price).filter(([, value]) => value !== undefined)) as T
const prices: fc.Arbitrary<Price> = fc.oneof(
  fc
    .record({
      kind: fc.constant('per_usage' as const),
      ...{ model_ratio: ratio, completion_ratio: ratio, cache_ratio: ratio, create_cache_ratio: ratio },
      ...{ audio_ratio: maybe, image_ratio: maybe, audio_completion_ratio: maybe },
      ...{ audio_input_price: maybe, video_price: maybe },
    })
    .map(said),
  fc.record({ kind: fc.constant('per_call' as const), model_price: ratio }),
)

/** So many of one component, and nothing else. */
function useOf(component: ComponentName, count: number): Usage | undefined {
  const { field, partOf } = PRICE_COMPONENTS[component] as PriceComponent
  const within = { image_input: 'input', audio_input: 'input', audio_output: 'output' } as Record<string, string>
  const whole = partOf ?? within[component]
  if (component === 'image') return { ...NO_USAGE, images: { n: count } }
  if (component === 'call') return { ...NO_USAGE, input: 1 }
  // Sound is told in seconds and charged in the tokens that it stands for.
  if (component === 'audio_duration') return { ...NO_USAGE, seconds: (count * 60) / 1000 }
  return field && { ...NO_USAGE, [field]: count, ...(whole ? { [whole]: count } : {}) }
}

it('is what so many of each component are charged', () => {
  const listed = new Set<string>()
  fc.assert(
    fc.property(prices, fc.constantFrom(...OPERATIONS), (price, kind) => {
      for (const { component, per, usd } of listModelPrices(price, kind)) {
        listed.add(component)
        const usage = useOf(component, per)!
        const { lines } = charge(price, 1, usage, UNIT)
        const line = lines.find(({ what }) => what === component)!
        expect(Number(line.quota) / UNIT / usd, component).toBeCloseTo(1, 8)
      }
    }),
    { seed: 5, numRuns: 400 },
  )
  const rated = Object.entries<PriceComponent>(PRICE_COMPONENTS).filter(
    ([
      ,
      {
        rate: { per_usage, per_call },
      },
    ]) => [per_usage, per_call].some((rule) => typeof rule === 'function'),
  )
  expect([...listed, 'tool'].sort()).toEqual(rated.map(([name]) => name).sort())
})
