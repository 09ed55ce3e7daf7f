import { describe, expect, it } from 'vitest'
import { listEndpointFields } from '../../cli/input/callable-endpoint.ts'
import { buildEndpointInput } from '../../cli/input/endpoint-input.ts'
import { apiContract, endpointsByName } from '../../core/contracts.ts'
import type { Endpoint } from '../../core/contract/endpoint.ts'

const endpoint = (name: string): Endpoint => {
  const found = endpointsByName.get(name)
  if (!found) throw new Error(name)
  return found
}
const input = (name: string, words: string[], json?: string) =>
  buildEndpointInput(listEndpointFields(endpoint(name)), words, json)

describe('values of the command line', () => {
  it('are typed through the schema', () => {
    expect(input('tokens.create', ['--name', '42', '--remain_quota', '500', '--unlimited_quota', 'false'])).toEqual({
      name: '42',
      remain_quota: 500,
      unlimited_quota: false,
    })
  })

  it('may be attached, kebab-cased, negative, or a bare flag', () => {
    expect(input('tokens.create', ['--name=a=b', '--expired-time', '-1', '--unlimited-quota'])).toEqual({
      name: 'a=b',
      expired_time: -1,
      unlimited_quota: true,
    })
  })

  it('take JSON for lists, and a JSON object for all of them, under single flags', () => {
    expect(input('settings.update', ['--options', '[{"key":"RetryTimes","value":"3"}]'])).toEqual({
      options: [{ key: 'RetryTimes', value: '3' }],
    })
    expect(input('channels.update', ['--weight', '7'], '{"id": 1, "weight": 5}')).toEqual({ id: 1, weight: 7 })
  })

  it.each([
    ['tokens.create', ['--remain_quota', 'many'], /--remain_quota must be a number, not "many"/],
    ['tokens.create', ['--unlimited_quota', 'perhaps'], /--unlimited_quota must be true or false/],
    ['settings.update', ['--options', '[oops'], /--options must be JSON/],
    ['tokens.create', ['--nme', 'x'], /Unknown field --nme: choose among --name/],
    ['tokens.create', ['--name'], /--name needs a value/],
    ['tokens.get', [], /--id must be given/],
    ['tokens.create', ['alone'], /"alone" stands alone/],
    ['site.status', ['--x', '1'], /has no fields/],
  ])('%s %j is refused with the flag', (name, words, message) => {
    expect(() => input(name, words)).toThrow(message)
  })

  it('refuse JSON that is no object', () => {
    expect(() => input('tokens.create', [], '[1]')).toThrow(/must be a JSON object/)
    expect(() => input('tokens.create', [], '{')).toThrow(/not valid JSON/)
  })
})

it('knows the fields of every endpoint', () => {
  for (const declared of endpointsByName.values()) {
    for (const field of listEndpointFields(declared)) expect(field.name).toMatch(/^\w+$/)
  }
  expect(listEndpointFields(apiContract.tokens.get as unknown as Endpoint)).toMatchObject([
    { name: 'id', place: 'path', required: true },
  ])
})
