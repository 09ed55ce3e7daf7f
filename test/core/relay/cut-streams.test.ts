// A stream that ends inside an event: cut at every byte, in every format, native and translated. What a caller gets is
// whole events, and an end only where all was said; everything else ends in an error.
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { PassthroughWatcher } from '../../../core/dialects/answers/stream-watcher.ts'
import { createFrameParser, closeFrame } from '../../../core/dialects/answers/frames.ts'
import { openaiImages, openaiSpeech, openaiTranscriptions } from '../../../core/index.ts'
import { createTranslator } from '../../../core/relay/answers/translate.ts'
import { callerFormats, streamFormats, TEXTS, USED, wholeStream, type StreamFormat } from '../../support/formats.ts'
import { listFailures } from '../../support/list-failures.ts'

const head = { model: 'm', stream: true, include_usage: true, prompt_estimate: 1 }
const bytes = (text: string) => new TextEncoder().encode(text)
const ENDS_BLANK = /(\n\n|\r\n\r\n)$/

interface Cut {
  /** What the caller got, the end included. */
  got: Buffer
  ended: boolean
  counted: unknown
}

/** The stream comes up to a byte, in one run or in two, and ends there. */
function cutAt(watcher: PassthroughWatcher, stream: Uint8Array, at: number): Cut {
  const between = Math.floor(at / 3)
  const seen = [watcher.look(stream.subarray(0, between)), watcher.look(stream.subarray(between, at)), watcher.close()]
  const end = seen.findLast((one) => one.end)?.end
  const got = Buffer.concat([...seen.flatMap(({ pass }) => pass), ...(end?.length ? [closeFrame(end)] : [])])
  const usage = seen.findLast((one) => one.usage)?.usage
  return { got, ended: seen.some((one) => one.ended), counted: usage && { input: usage.input, output: usage.output } }
}

/** The events that the caller got. @throws Error where a client could not read one of them */
function framesIn(got: Buffer) {
  if (got.length > 0 && !ENDS_BLANK.test(got.toString())) throw new Error(`no blank line at the end of ${got}`)
  const frames = createFrameParser().push(got)
  for (const { data } of frames) if (data !== '[DONE]') JSON.parse(data)
  return frames
}

/** Each format to its own callers, and to those of two others, in turns. */
const pairs = streamFormats.flatMap((format, turn) =>
  callerFormats
    .filter(({ name }, index) => name === format.dialect.name || (index + turn) % 3 === 0)
    .map((ours) => ({ format, ours })),
)
/** A translated stream is cut behind every so many bytes. */
const STEP = 5
const WHOLE = TEXTS.join('')

describe.each([
  ['\n', wholeStream],
  ['\r\n', (format: StreamFormat) => wholeStream(format).replaceAll('\n', '\r\n')],
])('a stream with lines that end in %j', (_, write) => {
  const namePair = ({ format, ours }: (typeof pairs)[number]) => `${format.dialect.name} to ${ours.name}`
  it('is whole or broken, cut at any byte', async () => {
    const failures = await listFailures(pairs, namePair, ({ format, ours }) => {
      const stream = bytes(write(format))
      const own = ours.name === format.dialect.name
      for (let at = stream.length; at >= 0; at -= own ? 1 : STEP) {
        const watcher = own ? ours.watcher(head) : createTranslator(format.dialect, ours, head)
        const { got, ended, counted } = cutAt(watcher, stream, at)
        const said = framesIn(got)
          .flatMap(ours.reader())
          .flatMap((event) => (event.type === 'text' ? [event.text] : []))
          .join('')
        // Plain conditions: thousands of streams go through here.
        const fault =
          !WHOLE.startsWith(said) || (ended && said !== WHOLE)
            ? `the caller read ${said}`
            : at === stream.length && !ended
              ? 'it did not end'
              : counted && !isDeepStrictEqual(counted, USED)
                ? `it counted ${JSON.stringify(counted)}`
                : undefined
        if (fault) throw new Error(`cut at byte ${at}: ${fault}`)
      }
    })
    expect(failures).toEqual([])
  })
})

const usage = { type: 'tokens', input_tokens: 5, output_tokens: 2, total_tokens: 7 }
const spoken = {
  transcript: [openaiTranscriptions, 'transcript.text.delta', 'transcript.text.done'],
  speech: [openaiSpeech, 'speech.audio.delta', 'speech.audio.done'],
  picture: [openaiImages, 'image_generation.partial_image', 'image_generation.completed'],
} as const

describe.each(Object.entries(spoken))('a streamed %s', (_, [dialect, delta, done]) => {
  it('is whole or broken, cut at any byte', () => {
    const events = [
      { type: delta, delta: 'wörds' },
      { type: delta, delta: 'x' },
      { type: done, text: 'wördsx', usage },
    ]
    const stream = bytes(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
    for (let at = 0; at <= stream.length; at++) {
      const { got, ended } = cutAt(dialect.watcher(head), stream, at)
      const said = framesIn(got).map(({ data }) => (JSON.parse(data) as { type: string }).type)
      expect([delta, delta, done].slice(0, said.length)).toEqual(said)
      expect(ended).toBe(said.length === 3)
    }
  })
})
