// Watches a stream of chunks whose bytes pass through: whole frames out, usage and the end found, text counted.
import type { CallFailure, Glance, RequestHead, Usage, Watcher } from '../dialect.ts'
import { createSplitter, encodeFrame, readFrame } from '../frames.ts'
import { listIn, memberOf, objectIn, parsed, textIn, type JsonObject } from '../json-value.ts'
import { byteLength, createMeter } from '../meter.ts'
import { eventsOf, hasContent } from './delta.ts'
import { failureIn, failureInChunk } from './error.ts'
import { END_MARK } from './events.ts'
import { isPlainChunk } from './marks.ts'
import { usageOf } from './usage.ts'

const END_BYTES = encodeFrame({ data: END_MARK })
const END_LINE = `data: ${END_MARK}`

/** What a parsed frame is: passed on or kept from the caller, and what it says. */
interface Verdict {
  pass: boolean
  content?: boolean
  finished?: boolean
  ended?: boolean
  usage?: Usage
  failure?: CallFailure
  /** Bytes of text in it. */
  text?: number
}

/**
 * A failing frame and all that follows the end or a failure are not in `pass`: the caller gets the failure in our own
 * words, without the provider's addresses. After the first content, `content` is true for every chunk that passes
 * unread.
 */
export function createWatcher(head: RequestHead): Watcher {
  const splitter = createSplitter()
  const meter = createMeter()
  let closed = false
  let finished = false

  /** Takes note of one frame; true when it passes. */
  function admit(bytes: Uint8Array, start: number, end: number, glance: Glance): boolean {
    if (closed) return false
    if (!meter.learning() && isPlainChunk(bytes, start, end)) {
      meter.unread(end - start)
      glance.content = true
      return true
    }
    const verdict = read(bytes.subarray(start, end), head)
    if (verdict.content) {
      glance.content = true
      meter.read(end - start, verdict.text ?? 0)
    }
    if (verdict.usage) glance.usage = verdict.usage
    if (verdict.failure) glance.failure = verdict.failure
    if (verdict.ended) close(glance)
    if (verdict.finished) finished = true
    if (verdict.failure) closed = true
    return verdict.pass
  }

  function close(glance: Glance): void {
    closed = finished = glance.ended = true
    glance.end = END_BYTES
  }

  return {
    look(run) {
      const glance: Glance = { pass: [], content: false, ended: false }
      let from = 0
      let to = 0 // frames from `from` to `to` of this run pass and are not handed out yet
      splitter.push(run, (bytes, start, end) => {
        const pass = admit(bytes, start, end, glance)
        if (bytes !== run) {
          if (pass) glance.pass.push(bytes)
        } else if (pass) {
          if (to === from) from = start
          to = end
        } else {
          if (to > from) glance.pass.push(run.subarray(from, to))
          from = to = end
        }
      })
      if (to > from) glance.pass.push(run.subarray(from, to))
      // Some providers hang up right behind the end mark, without its blank line.
      if (!closed && isEndMark(splitter.peek())) close(glance)
      return glance
    },
    close() {
      const glance: Glance = { pass: [], content: false, ended: false }
      if (!closed && finished) close(glance)
      return glance
    },
    outputEstimate: meter.tokens,
    finished: () => finished,
  }
}

function isEndMark(rest: Uint8Array): boolean {
  if (rest.length < END_LINE.length - 1 || rest.length > END_LINE.length + 2 || rest[0] !== 0x64) return false
  return readFrame(rest)?.data === END_MARK
}

/** Parses one whole frame. */
function read(bytes: Uint8Array, head: RequestHead): Verdict {
  const frame = readFrame(bytes)
  if (!frame || frame.data === '') return { pass: true }
  if (frame.data.trim() === END_MARK) return { pass: false, ended: true }
  const chunk = objectIn(parsed(frame.data))
  if (!chunk) {
    if (frame.event === 'error') return { pass: false, failure: failureIn({ message: frame.data }, 502) }
    return { pass: true } // not of this format; not ours to judge while it passes
  }
  const failure = failureInChunk(chunk) ?? (frame.event === 'error' ? failureIn(chunk, 502) : interrupted(chunk))
  if (failure) return { pass: false, failure }

  const choices = listIn(chunk.choices) ?? []
  let content = false
  let finished = false
  let text = 0
  for (const choice of choices) {
    const delta = objectIn(memberOf(choice, 'delta')) ?? objectIn(memberOf(choice, 'message')) ?? {}
    if (hasContent(delta)) {
      content = true
      text += textBytes(delta)
    }
    if (textIn(memberOf(choice, 'finish_reason'))) finished = true
  }
  const holdsUsage = objectIn(chunk.usage) !== undefined
  return {
    pass: choices.length > 0 || !holdsUsage || head.include_usage,
    content,
    finished,
    text,
    usage: usageOf(chunk),
  }
}

/** Zhipu says inside a choice that its network broke. */
function interrupted(chunk: JsonObject): CallFailure | undefined {
  const broken = listIn(chunk.choices)?.some((choice) => memberOf(choice, 'finish_reason') === 'network_error')
  return broken
    ? failureIn({ message: 'The upstream broke off: network_error', code: 'network_error' }, 502)
    : undefined
}

/** Bytes of what a delta says. */
function textBytes(delta: JsonObject): number {
  let sum = 0
  for (const event of eventsOf(delta, 0)) {
    if (event.type === 'tool_call') sum += byteLength(event.name ?? '') + byteLength(event.arguments)
    else if ('text' in event) sum += byteLength(event.text)
  }
  return sum
}
