// Watches a stream of Anthropic's events that passes through.
import { hasAnswerContent } from '../answers/event-content.ts'
import { findContentFilterFailure } from '../answers/failures.ts'
import { findSignature } from '../reasoning/reasoning-signature.ts'
import type { FrameVerdict, PassthroughWatcher } from '../answers/stream-watcher.ts'
import { getUtf8Length, createStreamWatcher } from '../answers/stream-watcher.ts'
import { encodeFrame, readEventFrame } from '../answers/frames.ts'
import { asObject, parseJson } from '../json/json-value.ts'
import { findProviderObjects } from '../requests/object-places.ts'
import { findEventFailure } from './error.ts'
import { messageObjects } from './head.ts'
import { createEventReader } from './read-events.ts'

const END = 'message_stop'
const END_BYTES = encodeFrame({ event: END, data: JSON.stringify({ type: END }) })
/** Maximum size of an end event with any padding, in bytes. */
const LONGEST_END = 512

/** A reasoning signature is sent in a content frame. */
const MARK = /"signature_delta"/g

/** The first line of most frames. Its event name alone shows that the frame is content. */
const CONTENT = 'event: content_block_delta'

function isContentDelta(text: string, start: number): boolean {
  const behind = text[start + CONTENT.length]
  return (behind === '\n' || behind === '\r') && text.startsWith(CONTENT, start)
}

const isEnd = (rest: Uint8Array): boolean =>
  rest.length > END.length && rest.length < LONGEST_END && parsePayload(rest)?.payload?.type === END

function parsePayload(bytes: Uint8Array) {
  const frame = readEventFrame(bytes)
  return frame && { frame, payload: asObject(parseJson(frame.data)) }
}

/** Watches one stream. Adds the end event if a finished stream lacks it. */
export function createWatcher(): PassthroughWatcher {
  const readPayload = createEventReader()

  function read(bytes: Uint8Array): FrameVerdict {
    const { frame, payload } = parsePayload(bytes) ?? {}
    if (!frame) return { pass: true }
    const isError = frame.event === 'error'
    if (!payload) return isError ? { pass: false, failure: findEventFailure({ error: frame.data }) } : { pass: true }
    const verdict: FrameVerdict = {
      pass: true,
      text: 0,
      thought: true,
      objects: findProviderObjects(payload, messageObjects.answer),
    }
    for (const event of readPayload(isError ? { ...payload, type: 'error' } : payload)) {
      if (event.type === 'usage') verdict.usage = event.usage
      else if (event.type === 'finish') {
        verdict.finished = true
        verdict.blocked = findContentFilterFailure([event])
      } else if (event.type === 'end') Object.assign(verdict, { pass: false, ended: true })
      else if (event.type === 'failure') Object.assign(verdict, { pass: false, failure: event.failure })
      else if (event.type !== 'start') {
        verdict.content = true
        if (hasAnswerContent(event)) verdict.thought = false
        verdict.proof = findSignature(event) ?? verdict.proof
        if (event.type === 'tool_call') verdict.text! += getUtf8Length((event.name ?? '') + event.arguments)
        else if ('text' in event) verdict.text! += getUtf8Length(event.text)
      }
    }
    return verdict
  }

  return createStreamWatcher({
    isPlain: isContentDelta,
    mark: MARK,
    isThought: (text, start, end) => text.slice(start, end).includes('"thinking_delta"'),
    read,
    end: (own) => own?.slice() ?? END_BYTES,
    isEnd,
  })
}
