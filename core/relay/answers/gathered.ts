// Gathers a provider's stream for a caller who asked for none.
import { answers } from '../../dialects/answered.ts'
import type { ProviderDialect } from '../../dialects/dialect.ts'
import type { Frame } from '../../dialects/frame.ts'
import type { ModelEvent } from '../../dialects/model-event.ts'
import type { Usage } from '../../dialects/usage.ts'
import { createFrameParser, isWhole } from '../../dialects/frames.ts'
import { fail } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ReplyBody } from '../../ports/upstream.ts'
import { readTrailingUsage, cancelBody, type UsageReaders } from './last-words.ts'
import { throwStreamedFailure, usageInEvents } from './reshape.ts'

/**
 * What it says, up to its end mark, and what was used.
 * @throws AttemptError where it says that something failed; GatewayError upstream.broken where it has no end
 */
export async function collectStream(
  body: ReplyBody,
  from: ProviderDialect,
  clock: Clock,
  behind?: UsageReaders['behind'],
): Promise<{ events: ModelEvent[]; usage: Usage | undefined }> {
  const rest = body[Symbol.asyncIterator]()
  const frames = createFrameParser()
  const read = from.reader()
  const events: ModelEvent[] = []
  let usage: Usage | undefined
  let end: ModelEvent | undefined
  const take = (event: ModelEvent): void => {
    if (event.type === 'usage') usage = event.usage
    else if (end) return
    else if (event.type === 'end' || event.type === 'failure') end = event
    else events.push(event)
  }
  const hear = (frame: Frame): void => {
    try {
      const said = read(frame)
      const failed = !end && said.some(({ type }) => type === 'failure')
      said.forEach(take)
      // What was counted at the start of an answer that then says nothing but this is no report of it.
      if (failed && events.every(({ type }) => type === 'start')) usage = usageInEvents(said)
    } catch (error) {
      // Behind the end a provider may say what it likes.
      if (!end) throw error
    }
  }
  try {
    while (!end) {
      const { done, value } = await rest.next()
      ;(done ? frames.end().filter(isWhole) : frames.push(value)).forEach(hear)
      if (done) break
    }
    usage = await readTrailingUsage(
      rest,
      usage,
      { in: (run) => usageInEvents(frames.push(run).flatMap(read)), behind },
      clock,
    )
  } finally {
    cancelBody(rest)
  }
  if (end) throwStreamedFailure([end], usage)
  if (!end && !events.some((event) => event.type === 'finish')) fail('upstream.broken')
  if (!events.some(answers)) fail('upstream.empty')
  const counted: ModelEvent[] = usage ? [{ type: 'usage', usage }] : []
  return { events: [...events, ...counted, { type: 'end' }], usage }
}
