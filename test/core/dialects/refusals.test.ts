// Every refusal that Weir can give a caller, in every format: what the vendors' libraries read stands where they look,
// and every request that is not in order names the field that it is about.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { getStatusErrorCode, translateFailureCode } from '../../../core/dialects/answers/failures.ts'
import { errors, GatewayError, type ErrorCode } from '../../../core/errors.ts'
import * as formats from '../../../core/index.ts'
import { toCallFailure, withRequestId } from '../../../core/relay/failure.ts'
import type { Json } from '../../support/json.ts'
import { listFailures } from '../../support/list-failures.ts'
import type { CallerDialect } from '../../../core/dialects/dialect.ts'

const dialects = Object.values(formats).filter(
  (one): one is CallerDialect => typeof one === 'object' && one !== null && 'writeErrorReply' in one,
)
const codes = (Object.keys(errors) as ErrorCode[]).filter((code) => 'relay' in errors[code])
/** Those that answer 501, 408 or 409 would be asked again by the libraries, for nothing. */
const RETRIED = new Set([408, 409, 501])

const ASKED = { request_id: 'the-id', language: 'en' } as const

const written = (dialect: CallerDialect, code: ErrorCode): Json => {
  const failure = withRequestId(toCallFailure(new GatewayError(code)), ASKED)
  return JSON.parse(new TextDecoder().decode(dialect.writeErrorReply(failure)))
}
/** Reads the body and the frame of a stream. */
const framed = (dialect: CallerDialect, code: ErrorCode): Json =>
  JSON.parse(dialect.writeErrorFrame(withRequestId(toCallFailure(new GatewayError(code)), ASKED)).data)

describe.each(dialects.map((dialect) => ({ name: dialect.name, dialect })))('in $name', ({ name, dialect }) => {
  test('every refusal of a call', async () => {
    const failures = await listFailures(codes, String, (code) => {
      const { status } = toCallFailure(new GatewayError(code))
      expect(RETRIED.has(status)).toBe(false)
      for (const body of [written(dialect, code), framed(dialect, code)]) {
        expect(body.error.message).toContain('(request id: the-id)')
        if (name.startsWith('anthropic')) {
          expect(body).toMatchObject({ type: 'error', request_id: 'the-id', error: { type: expect.any(String) } })
          expect(body.error.details.error_code).toMatch(/^[a-z_]+$/)
        } else if (name.startsWith('gemini')) {
          expect(body.error).toMatchObject({ code: status, status: expect.stringMatching(/^[A-Z_]+$/) })
          expect(body.error.details[0].reason).toMatch(/^\w+$/)
        } else {
          expect(body.error.code).toMatch(/^[a-z_]+$/)
          const named = [401, 404, 405].includes(status) ? 'invalid_request_error' : 'new_api_error'
          expect(body.error.type).toBe(named)
        }
      }
    })
    expect(failures).toEqual([])
  })

  test('a wrong key', () => {
    const body = written(dialect, 'key.unknown')
    if (name.startsWith('anthropic')) expect(body.error.type).toBe('authentication_error')
    else if (name.startsWith('gemini')) expect(body.error.details[0].reason).toBe('API_KEY_INVALID')
    else expect(body.error).toMatchObject({ code: 'invalid_api_key', type: 'invalid_request_error', param: null })
  })

  test('a request that is not in order', () => {
    const given = dialect.name.startsWith('gemini') ? { model: 'm' } : undefined
    const refused = [{}, { model: '' }, { model: 'm' }, { model: 'm', messages: 5, input: {}, stream: 'yes' }].map(
      (body) => {
        try {
          dialect.readRequestHead(new TextEncoder().encode(JSON.stringify(body)), given)
          return undefined
        } catch (error) {
          return toCallFailure(error)
        }
      },
    )
    for (const failure of refused) if (failure) expect(failure.param, failure.message).toMatch(/^[\w.]+$/)
  })
})

test('every refused field is named where it is refused', () => {
  const folder = join(import.meta.dirname, '../../../core/dialects')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const nameless = files.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/fail\('request\.invalid',\s*\{([^}]*)/g)]
      .filter(([, given = '']) => !/\bparam\b/.test(given))
      .map(([line]) => `${file}: ${line}`),
  )
  expect(nameless).toEqual([])
})

describe('what another format says', () => {
  const upstream = {
    status: 429,
    message: 'slow down',
    type: 'rate_limit_error',
    param: null,
    source: 'upstream',
  } as const

  test.each([null, 1002])('with the code %s has a text when it is told in a format that has them', (code) => {
    expect(translateFailureCode({ ...upstream, code }).code).toBe('rate_limit_exceeded')
    expect(translateFailureCode({ ...upstream, code: 'own' }).code).toBe('own')
  })

  test('has a text for every status', () => {
    for (let status = 400; status < 600; status++) expect(getStatusErrorCode(status)).toMatch(/^[a-z_]+$/)
  })
})
