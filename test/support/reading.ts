// The content of an answer's events for a person: pieces joined, in no dialect.
import type { ModelEvent } from '../../core/dialects/answers/model-event.ts'

/** Of the first answer, where there are several. */
export function reading(events: ModelEvent[]) {
  const texts = (type: string) => events.map((one) => (one.type === type && 'text' in one ? one.text : '')).join('')
  const calls = new Map<number, { id?: string; name?: string; arguments: string }>()
  for (const one of events) {
    if (one.type !== 'tool_call') continue
    const known = calls.get(one.index)
    calls.set(one.index, {
      id: known?.id ?? one.id,
      name: known?.name ?? one.name,
      arguments: (known?.arguments ?? '') + one.arguments,
    })
  }
  return {
    text: texts('text'),
    refusal: texts('refusal'),
    reasoning: texts('reasoning'),
    proofs: events.flatMap((one) => (one.type === 'reasoning' && one.signature) || []),
    calls: [...calls.values()],
    images: events.filter(({ type }) => type === 'image').length,
    citations: events.filter(({ type }) => type === 'citation').length,
  }
}
