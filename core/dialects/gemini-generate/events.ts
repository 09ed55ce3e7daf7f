// The stream of an answer, both ways: each frame is an answer of its own that says what is new.
import { fail } from '../../errors.ts'
import type { FinishReason, Frame, ModelEvent, RequestHead, Usage } from '../dialect.ts'
import { objectIn, parsed, withoutUndefined, type JsonObject } from '../json-value.ts'
import { createAnswerReader } from './answer.ts'
import { writeErrorFrame } from './error.ts'
import { createSpeaker, groundingOf, type Speaker } from './parts.ts'
import { writeUsage } from './usage.ts'

/**
 * Reads the frames of one stream. There is no end mark: the end is the end of the bytes behind a finish reason.
 * @throws GatewayError upstream.unreadable when a frame's data is no JSON object
 */
export function createReader(): (frame: Frame) => ModelEvent[] {
  const read = createAnswerReader()
  return (frame) => {
    if (frame.data.trim() === '') return []
    const chunk = objectIn(parsed(frame.data))
    if (!chunk) fail('upstream.unreadable', {}, { detail: 'a frame of the stream is no JSON object' })
    return read(chunk)
  }
}

/** Writes the frames of one stream. Why it finished and its usage leave with the last frame. */
export function createWriter(head: RequestHead): (event: ModelEvent) => Frame[] {
  let names: JsonObject = { modelVersion: head.model }
  let usage: Usage | undefined
  const speakers = new Map<number, Speaker>()
  const finishes = new Map<number, FinishReason>()
  const speakerAt = (choice: number): Speaker => {
    const speaker = speakers.get(choice) ?? createSpeaker()
    speakers.set(choice, speaker)
    return speaker
  }
  const frame = (chunk: JsonObject): Frame[] => [{ data: JSON.stringify({ ...chunk, ...names }) }]
  const said = (index: number, parts: JsonObject[]): Frame[] =>
    parts.length === 0 ? [] : frame({ candidates: [{ content: { parts, role: 'model' }, index }] })

  /** The end mark of other formats says by itself that an answer is complete; here only a reason can. */
  function last(): Frame[] {
    for (const choice of speakers.size === 0 ? [0] : speakers.keys()) {
      if (!finishes.has(choice)) finishes.set(choice, 'stop')
    }
    const candidates = [...finishes].map(([index, reason]) => {
      const parts = speakerAt(index).rest()
      const finishReason = speakerAt(index).finish(reason)
      return { content: { parts: parts.length > 0 ? parts : [{ text: '' }], role: 'model' }, finishReason, index }
    })
    return frame(
      withoutUndefined({
        candidates,
        usageMetadata: usage && writeUsage(usage),
      }),
    )
  }

  return (event) => {
    switch (event.type) {
      case 'start':
        names = namesOf(event, head)
        return []
      case 'citation':
        return frame({ candidates: [{ index: event.choice, ...groundingOf([event]) }] })
      case 'finish':
        finishes.set(event.choice, event.reason)
        return []
      case 'usage':
        usage = event.usage
        return []
      case 'failure':
        return [writeErrorFrame(event.failure)]
      case 'end':
        return last()
      default:
        return said(event.choice, speakerAt(event.choice).say(event))
    }
  }
}

/** What every frame repeats of the answer. */
export const namesOf = (
  { id, model }: { id: string; model: string },
  head?: Pick<RequestHead, 'model'>,
): JsonObject => ({ modelVersion: model || (head?.model ?? ''), ...(id ? { responseId: id } : {}) })
