// System messages inside a conversation. They stay in place: moving them to the start would change the prompt's prefix,
// so that the provider's cache would be written again in full, at a higher price.
import type { ContentPart, Message } from '../model-request.ts'

/** The name in `x-weir-dropped` when system messages become marked user text. */
export const CONVERTED_SYSTEM_MESSAGES = 'messages.system'

export interface PlacedSystem {
  /** System messages before the first turn stay at the start. */
  messages: Message[]
  /** Some became marked user text. */
  isConverted: boolean
}

/**
 * Moves system messages to where the format allows them. Those between calls and their results move after the results.
 * A format with system turns accepts them after a user turn and before one of the model; elsewhere, and in a format
 * without system turns, they become marked user text in place.
 */
export function placeSystemTurns(messages: readonly Message[], takesTurns: boolean): PlacedSystem {
  const first = messages.findIndex(({ role }) => role !== 'system')
  if (first < 0 || !messages.some(({ role }, at) => role === 'system' && at > first)) {
    return { messages: [...messages], isConverted: false }
  }
  const placed = messages.slice(0, first)
  let waiting: Message[] = []
  let isConverted = false

  function place(): void {
    const { role } = placed.at(-1) ?? {}
    if (waiting.length > 0 && takesTurns && (role === 'user' || role === 'tool')) {
      // Two consecutive ones are refused.
      placed.push({ role: 'system', content: waiting.flatMap(({ content }) => content) })
    } else {
      isConverted ||= waiting.length > 0
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
  return { messages: placed, isConverted }
}

/** Returns the messages for a model that accepts a single system message, at the start only. */
export function placeSystemFirst(messages: readonly Message[]): PlacedSystem {
  const placed = placeSystemTurns(messages, false)
  const first = placed.messages.findIndex(({ role }) => role !== 'system')
  const count = first < 0 ? placed.messages.length : first
  if (count < 2) return placed
  const content = placed.messages.slice(0, count).flatMap((message) => message.content)
  return { ...placed, messages: [{ role: 'system', content }, ...placed.messages.slice(count)] }
}

/** Converts a system message to user text. The mark shows the model that the text is not the user's. */
function asUser({ content }: Message): Message {
  const texts = content.filter((part) => part.type === 'text')
  const others = content.filter((part) => part.type !== 'text')
  const text = `<system>\n${texts.map((part) => part.text).join('\n')}\n</system>`
  const { cache } = content.at(-1) ?? {}
  const marked: ContentPart = { type: 'text', text, ...(cache ? { cache } : {}) }
  return { role: 'user', content: texts.length > 0 ? [marked, ...others] : others }
}
