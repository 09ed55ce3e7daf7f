// A rejected call as the official client sees it, and that it cost nothing.
import { APIError } from 'openai'
import { expect } from 'vitest'
import type { Caller } from './caller.ts'
import type { TestGateway } from './gateway.ts'

type ErrorClass = abstract new (...parameters: never[]) => APIError

interface Expected {
  status: number
  message: string | RegExp
  code: string
  raises: ErrorClass
}

/** The client's error has the class, status, code and message told, with the request id in the message and beside it. */
export async function refuses(
  call: () => Promise<unknown>,
  { status, message, code, raises }: Expected,
): Promise<APIError> {
  const error = await call().then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(raises)
  const refused = error as APIError
  expect(refused.status).toBe(status)
  expect(refused.message).toMatch(message)
  expect(refused.code).toBe(code)
  expect(refused.type).toBe(status === 401 || status === 404 ? 'invalid_request_error' : 'new_api_error')
  expect(refused.requestID).toMatch(/^\d{17}/)
  expect(refused.message).toContain(`(request id: ${refused.requestID})`)
  return refused
}

export const chatWith = (weir: TestGateway, { openai }: Pick<Caller, 'openai'>, model = weir.model) =>
  openai.chat.completions.create({ model, messages: [{ role: 'user', content: 'Hello' }] })

/** Refused as told, and neither money nor the provider was touched. */
export async function refusesFree(
  weir: TestGateway,
  caller: Caller,
  expected: Expected,
  model?: string,
): Promise<void> {
  const before = await caller.balances()
  await refuses(() => chatWith(weir, caller, model), expected)
  expect(await caller.balances()).toEqual(before)
  expect(weir.upstream.requests).toHaveLength(0)
  expect((await weir.gateway.client.quota.verify()).open_holds).toBe(0)
}
