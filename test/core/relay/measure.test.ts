// The values that count as a usage report: each value by which a call is charged, separately.
import { expect, it } from 'vitest'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import { toJsonBytes } from '../../../core/dialects/json/json-bytes.ts'
import { buildKnownUsage } from '../../../core/dialects/passing.ts'
import { NO_SOUND } from '../../../core/dialects/media/sound.ts'
import type { Usage } from '../../../core/dialects/answers/usage.ts'
import type { PriceComponent } from '../../../core/pricing/component.ts'
import { PRICE_COMPONENTS } from '../../../core/pricing/components.ts'
import { measureUsage, type MeasureInput } from '../../../core/relay/measure.ts'
import { createFakeClock } from '../../support/clock.ts'

const body = toJsonBytes({ model: 'm', messages: [{ role: 'user', content: 'a question' }], max_tokens: 10 })
const head = openaiChat.readRequestHead(body)

/** A call that was answered with a few words, as far as measuring it asks. */
const measured = (reported: Usage) =>
  ({
    call: { inbound: openaiChat, body },
    head,
    admission: { price: { kind: 'per_usage' } },
    sent: 'm',
    status: 'complete',
    reported,
    watcher: { outputEstimate: () => 5, sound: () => NO_SOUND, answered: () => true, finished: () => true },
  }) as unknown as MeasureInput

const counted = Object.entries<PriceComponent>(PRICE_COMPONENTS).flatMap(([what, { field, partOf }]) =>
  field && !partOf ? [[what, field] as const] : [],
)

it.each(counted)('%s alone is a report', async (_what, field) => {
  const alone = { ...buildKnownUsage({ input: 0, output: 0 }), source: 'reported' as const, [field]: 1 }
  const { usage } = await measureUsage(measured(alone), { clock: createFakeClock() })
  expect(usage).toMatchObject({ source: 'reported' })
  expect(usage?.[field]).toBeDefined()
})

it('tools alone are none: what was asked and answered is counted beside them', async () => {
  const alone = { ...buildKnownUsage({ input: 0, output: 0 }), source: 'reported' as const, calls: { web_search: 1 } }
  const { usage } = await measureUsage(measured(alone), { clock: createFakeClock() })
  expect(usage).toMatchObject({ source: 'estimated', output: 5, calls: { web_search: 1 } })
})
