// A provider's answers as its channel wants them heard: dated, under the name that was asked for, thoughts as
// text or with a mark of whose they are.
import type { ChannelSetting } from '../channels/channel.ts'
import type { Dialect, ModelEvent, ProviderDialect, RequestHead } from '../dialects/dialect.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { markedEvent } from '../dialects/proof.ts'

type Change = (event: ModelEvent) => ModelEvent[]

/**
 * The dialect to read a provider's answer in: the caller's own, the very same, where its bytes may pass as they are.
 * `now` in epoch seconds.
 */
export function heard(
  theirs: ProviderDialect,
  ours: Dialect,
  { force_format, thinking_to_content, requested_model_in_answers }: ChannelSetting,
  head: RequestHead,
  now: () => number,
): ProviderDialect {
  // Only this format's clients may know no place for thoughts; the others have one of their own.
  const aloud = thinking_to_content === true && ours === openaiChat
  if (theirs === ours && !force_format && !aloud) return theirs
  const start = started(now(), requested_model_in_answers ? head.model : undefined)
  const mark = (event: ModelEvent) => (theirs === ours ? event : markedEvent(event, theirs.name))
  return reading(theirs, () => {
    const say = aloud ? thoughtsAloud() : undefined
    return (event) => (say ? say(start(event)) : [mark(start(event))])
  })
}

/** Answers that tell no date get one, and the name of their model is replaced where one is given. */
const started =
  (now: number, model: string | undefined) =>
  (event: ModelEvent): ModelEvent =>
    event.type === 'start' ? { ...event, created: event.created || now, model: model ?? event.model } : event

/** The same format, with what it says changed; one change for each answer. */
function reading(dialect: ProviderDialect, change: () => Change): ProviderDialect {
  return {
    ...dialect,
    reader() {
      const read = dialect.reader()
      const changed = change()
      return (frame) => read(frame).flatMap(changed)
    },
    readReply: (body) => dialect.readReply(body).flatMap(change()),
  }
}

/** Thoughts become the beginning of the text, between marks that many clients know (relay reference, section 9). */
function thoughtsAloud(): Change {
  const thinking = new Set<number>()
  return (event) => {
    if (event.type === 'reasoning') {
      if (event.text === '' || event.redacted) return []
      const { choice } = event
      const text = thinking.has(choice) ? event.text : `<think>\n${event.text}`
      thinking.add(choice)
      return [{ type: 'text', text, choice }]
    }
    if (!('choice' in event) || !thinking.delete(event.choice)) return [event]
    return [{ type: 'text', text: '\n</think>\n', choice: event.choice }, event]
  }
}
