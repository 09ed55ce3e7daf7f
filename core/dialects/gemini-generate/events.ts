// Reads and writes the stream of an answer: each frame is a complete answer object with the new content.
import { fail } from '../../errors.ts'
import type { SseFrame } from '../answers/frames.ts'
import type { Usage } from '../answers/usage.ts'
import type { RequestHead } from '../requests/head.ts'
import type { FinishReason, ModelEvent } from '../answers/model-event.ts'
import { asObject, parseJson, omitUndefinedMembers, type JsonObject } from '../json/json-value.ts'
import { createAnswerReader } from './answer.ts'
import { writeErrorFrame } from './error.ts'
import { createCitationCollector, type CitationCollector } from './grounding.ts'
import { buildLogprobsField } from './logprobs.ts'
import { escapeLineEnds } from './fields.ts'
import { createPartWriter, type PartWriter } from './parts.ts'
import { writeUsageMetadata } from './usage.ts'

/**
 * Returns a reader of the frames of one stream. There is no end mark: the stream ends when its bytes end after a finish
 * reason.
 * @throws GatewayError upstream.unreadable if a frame's data is not a JSON object
 */
export function createStreamReader(): (frame: SseFrame) => ModelEvent[] {
  const read = createAnswerReader()
  return (frame) => {
    if (frame.data.trim() === '') return []
    const chunk = asObject(parseJson(frame.data))
    if (!chunk) fail('upstream.unreadable', {}, { detail: 'a frame of the stream is no JSON object' })
    return read(chunk)
  }
}

/**
 * Returns a writer of the frames of one stream. The finish reason, citations and usage are written with the last frame.
 */
export function createStreamWriter(head: RequestHead): (event: ModelEvent) => SseFrame[] {
  let names: JsonObject = { modelVersion: head.model }
  let usage: Usage | undefined
  const candidates = new Map<number, { speaker: PartWriter; sources: CitationCollector; reason?: FinishReason }>()
  const candidateAt = (choice: number) => {
    const candidate = candidates.get(choice) ?? { speaker: createPartWriter(), sources: createCitationCollector() }
    candidates.set(choice, candidate)
    return candidate
  }
  const frame = (chunk: JsonObject): SseFrame[] => [{ data: escapeLineEnds(JSON.stringify({ ...chunk, ...names })) }]
  const writeParts = (index: number, parts: JsonObject[], more?: JsonObject): SseFrame[] =>
    parts.length === 0 ? [] : frame({ candidates: [{ content: { parts, role: 'model' }, index, ...more }] })

  /**
   * Writes the last frame. Other formats have an end mark; here only a finish reason shows that an answer is complete.
   */
  function last(): SseFrame[] {
    if (candidates.size === 0) candidateAt(0)
    const ended = [...candidates].map(([index, { speaker, sources, reason = 'stop' }]) => {
      const parts = speaker.rest()
      const finishReason = speaker.finish(reason)
      const content = { parts: parts.length > 0 ? parts : [{ text: '' }], role: 'model' }
      return { content, finishReason, index, ...sources.written() }
    })
    return frame(omitUndefinedMembers({ candidates: ended, usageMetadata: usage && writeUsageMetadata(usage) }))
  }

  return (event) => {
    switch (event.type) {
      case 'start':
        names = buildAnswerNames(event, head)
        return []
      case 'citation':
        candidateAt(event.choice).sources.cite(event)
        return []
      case 'search':
        return []
      case 'finish':
        candidateAt(event.choice).reason = event.reason
        return []
      case 'usage':
        usage = event.usage
        return []
      case 'failure':
        return [writeErrorFrame(event.failure)]
      case 'end':
        return last()
      default: {
        const { speaker, sources } = candidateAt(event.choice)
        if (event.type !== 'text') return writeParts(event.choice, speaker.say(event))
        sources.say(event.text)
        return writeParts(event.choice, speaker.say(event), buildLogprobsField(event.logprobs))
      }
    }
  }
}

/** Returns the members that every frame of an answer repeats. */
export const buildAnswerNames = (
  { id, model }: { id: string; model: string },
  head?: Pick<RequestHead, 'model'>,
): JsonObject => ({ modelVersion: model || (head?.model ?? ''), ...(id ? { responseId: id } : {}) })
