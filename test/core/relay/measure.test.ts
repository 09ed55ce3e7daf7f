// The values that count as a usage report: each value by which a call is charged, separately. Without a report, the usage
// is Weir's own count, with the reasoning of an answer that was cut.
import { expect, it } from 'vitest'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import { toJsonBytes } from '../../../core/dialects/json/json-bytes.ts'
import { buildKnownUsage } from '../../../core/dialects/passing.ts'
import { NO_SOUND } from '../../../core/dialects/media/sound.ts'
import type { Usage } from '../../../core/dialects/answers/usage.ts'
import type { PriceComponent } from '../../../core/pricing/component.ts'
import { PRICE_COMPONENTS } from '../../../core/pricing/components.ts'
import { measureUsage, type MeasureInput } from '../../../core/relay/measure.ts'
import type { Tokenizer } from '../../../core/ports/tokenizer.ts'
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

/** A call that is cut after five tokens and some reasoning, and of which the provider reports nothing. */
const cut = (more: Partial<MeasureInput>): MeasureInput => ({
  ...measured({ ...buildKnownUsage({ input: 0, output: 0 }), source: 'reported' }),
  reported: undefined,
  status: 'failed',
  watcher: {
    ...{ outputEstimate: () => 5, sound: () => NO_SOUND, answered: () => true, finished: () => false },
  } as unknown as MeasureInput['watcher'],
  ...more,
})

it.each([
  ['as a whole where it fits the limit of the request', { ...head, max_tokens: 10 }, 3, { output: 8, reasoning: 3 }],
  ['up to the limit of the request', { ...head, max_tokens: 10 }, 100, { output: 10, reasoning: 5 }],
  ['not where the answer has reached the limit', { ...head, max_tokens: 4 }, 100, { output: 5, reasoning: 0 }],
  ['as a whole without a limit', { ...head, max_tokens: undefined }, 100, { output: 105, reasoning: 100 }],
])('the reasoning of an answer that is cut counts %s', async (_, asked, thought, counted) => {
  const { usage } = await measureUsage(cut({ head: asked, thought }), { clock: createFakeClock() })
  expect(usage).toMatchObject({ source: 'estimated', ...counted })
})

it('what the tokenizer cannot count keeps its estimate', async () => {
  const clock = createFakeClock()
  const tokenizer: Tokenizer = {
    count: () => Promise.reject(new Error('no words')),
    isBusy: () => false,
    close: () => Promise.resolve(),
  }
  const { usage: estimated } = await measureUsage(cut({ status: 'complete' }), { clock })
  const { usage } = await measureUsage(cut({ status: 'complete' }), { clock, tokenizer })
  expect(estimated).toMatchObject({ input: head.prompt_estimate, output: 5, estimated_by: 'text' })
  expect(usage).toEqual(estimated)
})
