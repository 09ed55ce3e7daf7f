// Google's errors, both ways, and what comes from proxies in its place.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CallFailure } from '../../../core/dialects/answers/call-failure.ts'
import { geminiGenerate } from '../../../core/dialects/gemini-generate/index.ts'
import type { Json } from '../../support/json.ts'

const bytes = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
const written = (failure: CallFailure): Json =>
  JSON.parse(new TextDecoder().decode(geminiGenerate.writeErrorReply(failure)))
const plain: CallFailure = {
  status: 400,
  message: 'no',
  type: 'new_api_error',
  code: null,
  param: null,
  source: 'gateway',
}

describe("Google's errors", () => {
  it('are read back as they were written', () => {
    const words = fc.constantFrom(['INVALID_ARGUMENT', 400], ['RESOURCE_EXHAUSTED', 429], ['UNAVAILABLE', 503] as const)
    const failure = fc
      .record({
        words,
        code: fc.constantFrom('API_KEY_INVALID', 'model_not_found', undefined),
        param: fc.constantFrom('model', null),
        wait: fc.option(fc.nat(100_000), { nil: undefined }),
      })
      .map(({ words: [type, status], code, param, wait }): CallFailure => ({
        status: Number(status),
        message: 'not this time',
        type: String(type),
        code: code ?? String(type),
        param,
        source: 'upstream',
        ...(wait === undefined ? {} : { retry_after_ms: wait }),
      }))
    fc.assert(
      fc.property(failure, (one) => {
        expect(geminiGenerate.readErrorReply(one.status, geminiGenerate.writeErrorReply(one))).toEqual(one)
        const [event] = geminiGenerate.reader()(geminiGenerate.writeErrorFrame(one))
        expect(event).toEqual({ type: 'failure', failure: one })
      }),
    )
  })

  it.each([
    [400, 'INVALID_ARGUMENT'],
    [401, 'UNAUTHENTICATED'],
    [403, 'PERMISSION_DENIED'],
    [404, 'NOT_FOUND'],
    [408, 'DEADLINE_EXCEEDED'],
    [413, 'INVALID_ARGUMENT'],
    [429, 'RESOURCE_EXHAUSTED'],
    [500, 'INTERNAL'],
    [501, 'UNIMPLEMENTED'],
    [502, 'UNAVAILABLE'],
    [503, 'UNAVAILABLE'],
    [504, 'DEADLINE_EXCEEDED'],
    [529, 'UNAVAILABLE'],
  ])('name status %s %s', (status, word) => {
    expect(written({ ...plain, status }).error).toEqual({ code: status, message: 'no', status: word })
  })

  it('tell a bad key by its reason, which switches a channel off', () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }]
    const body = bytes({ error: { code: 400, message: 'API key not valid', status: 'INVALID_ARGUMENT', details } })
    expect(geminiGenerate.readErrorReply(400, body)).toMatchObject({
      type: 'INVALID_ARGUMENT',
      code: 'API_KEY_INVALID',
    })
  })

  it('are found in an array, and in answers of status 200', () => {
    const error = { code: 404, message: 'no such model', status: 'NOT_FOUND' }
    expect(geminiGenerate.readErrorReply(404, bytes([{ error }]))).toMatchObject({ message: 'no such model' })
    expect(geminiGenerate.readAnswerReport(bytes([{ error }])).failure).toMatchObject({ status: 404 })
    expect(geminiGenerate.readAnswerReport(bytes({ candidates: [] })).failure).toBeUndefined()
    expect(geminiGenerate.readAnswerReport(bytes('<html>')).failure).toMatchObject({
      status: 502,
      code: 'bad_response_body',
    })
  })

  it('of proxies are told in their words, pages are not shown', () => {
    expect(geminiGenerate.readErrorReply(500, bytes({ message: 'out of order' }))).toMatchObject({
      message: 'out of order',
      type: 'upstream_error',
    })
    expect(geminiGenerate.readErrorReply(502, bytes('<html>10.0.0.7</html>'))).toMatchObject({
      message: 'bad response status code 502',
    })
  })
})
