// Words of the system inside a conversation. They stay where they stand: moved to its beginning they would change the
// start of the prompt, so that the whole of it would be written to the provider's cache anew, at a higher price.
import type { ContentPart, Message } from './model-request.ts'

/** The name in `x-weir-dropped` when system messages become marked user text. */
export const RETOLD = 'messages.system'

export interface PlacedSystem {
  /** Words of the system before the first turn stay at the beginning. */
  messages: Message[]
  /** Some became marked words of the user. */
  retold: boolean
}

/**
 * The messages with the system's words where the format can have them. Between calls and their results they stand behind
 * the results. A format with turns of the system has them behind a turn of the user and before one of the model; where
 * there is no such place, and in a format without, they are marked words of the user in place.
 */
export function placeSystemTurns(messages: readonly Message[], takesTurns: boolean): PlacedSystem {
  const first = messages.findIndex(({ role }) => role !== 'system')
  if (first < 0 || !messages.some(({ role }, at) => role === 'system' && at > first)) {
    return { messages: [...messages], retold: false }
  }
  const placed = messages.slice(0, first)
  let waiting: Message[] = []
  let retold = false

  function place(): void {
    const { role } = placed.at(-1) ?? {}
    if (waiting.length > 0 && takesTurns && (role === 'user' || role === 'tool')) {
      // Two in a row are refused.
      placed.push({ role: 'system', content: waiting.flatMap(({ content }) => content) })
    } else {
      retold ||= waiting.length > 0
      placed.push(...waiting.map(asUser))
    }
    waiting = []
  }

  for (const message of messages.slice(first)) {
    if (message.role === 'system') {
      waiting.push(message)
      continue
    }
    if (message.role === 'assistant' || (message.role === 'user' && !takesTurns)) place()
    placed.push(message)
  }
  place()
  return { messages: placed, retold }
}

/** The messages for a model that takes one message of the system, and only at the beginning. */
export function placeSystemFirst(messages: readonly Message[]): PlacedSystem {
  const placed = placeSystemTurns(messages, false)
  const first = placed.messages.findIndex(({ role }) => role !== 'system')
  const count = first < 0 ? placed.messages.length : first
  if (count < 2) return placed
  const content = placed.messages.slice(0, count).flatMap((message) => message.content)
  return { ...placed, messages: [{ role: 'system', content }, ...placed.messages.slice(count)] }
}

/** The mark shows the model that these are not words of the user. */
function asUser({ content }: Message): Message {
  const texts = content.filter((part) => part.type === 'text')
  const others = content.filter((part) => part.type !== 'text')
  const text = `<system>\n${texts.map((part) => part.text).join('\n')}\n</system>`
  const { cache } = content.at(-1) ?? {}
  const marked: ContentPart = { type: 'text', text, ...(cache ? { cache } : {}) }
  return { role: 'user', content: texts.length > 0 ? [marked, ...others] : others }
}
