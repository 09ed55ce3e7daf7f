// Recorded Responses answers, read: the same as a reading by hand.
import { describe, expect, it } from 'vitest'
import type { Usage } from '../../../core/dialects/answers/usage.ts'
import { createFrameParser } from '../../../core/dialects/answers/frames.ts'
import { openaiResponses } from '../../../core/dialects/openai-responses/index.ts'
import type { Json } from '../../support/json.ts'
import { reading } from '../../support/reading.ts'
import { lastResponse, responseReading } from '../../support/response-reading.ts'
import { recordingsOf } from '../../support/at-hand.ts'
import { listFailures } from '../../support/list-failures.ts'
import { bytesOf, type Recording } from '../../support/recordings.ts'

function readStream(recording: Recording) {
  const parser = createFrameParser()
  return [...parser.push(bytesOf(recording)), ...parser.end()].flatMap(openaiResponses.reader())
}

const recordings = recordingsOf('openai.responses')
describe('recorded answers', () => {
  const whole = recordings.filter(({ response }) => response.body !== undefined && response.status === 200)
  const streamed = recordings.filter((one) => one.response.sse && lastResponse(one))

  it('are read whole', async () => {
    const failures = await listFailures(
      whole,
      ({ provider, id }) => `${provider} ${id}`,
      (recording) => {
        const body = bytesOf(recording)
        const response = recording.response.body as Json
        expect(openaiResponses.readAnswerReport(body).failure).toBeUndefined()
        const events = openaiResponses.readWholeReply(body)
        expect(reading(events)).toEqual(responseReading(response))
        expectUsage(openaiResponses.readAnswerReport(body).usage, response.usage)
      },
    )
    expect(failures).toEqual([])
  })

  it('are read as streams', async () => {
    const failures = await listFailures(
      streamed,
      ({ provider, id }) => `${provider} ${id}`,
      (recording) => {
        const events = readStream(recording)
        const last = lastResponse(recording)
        const wanted = responseReading(last)
        const read = reading(events)
        expect({ ...read, citations: 0 }).toEqual({ ...wanted, citations: 0 })
        const counted = events.find((event) => event.type === 'usage')
        expectUsage(counted?.type === 'usage' ? counted.usage : undefined, last.usage)
        expect(events.at(-1)).toEqual({ type: 'end' })
      },
    )
    expect(failures).toEqual([])
  })

  function expectUsage(counted: Usage | undefined, reported: Json) {
    if (!reported) return expect(counted).toBeUndefined()
    const { input, cache_read, cache_write, cache_write_1h, output, reasoning } = counted!
    expect(input + cache_read + cache_write + cache_write_1h).toBe(reported.input_tokens)
    expect(cache_read).toBe(reported.input_tokens_details?.cached_tokens ?? 0)
    expect(output).toBe(reported.output_tokens)
    expect(reasoning).toBe(reported.output_tokens_details?.reasoning_tokens ?? 0)
  }

  it('are read as errors', async () => {
    const failures = await listFailures(
      recordings.filter(({ response }) => response.status >= 400),
      ({ provider, id }) => `${provider} ${id}`,
      (recording) => {
        const failure = openaiResponses.readErrorReply(recording.response.status, bytesOf(recording))
        expect(failure).toMatchObject({ status: recording.response.status, source: 'upstream' })
        expect(failure.message.length).toBeGreaterThan(10)
      },
    )
    expect(failures).toEqual([])
  })
})
