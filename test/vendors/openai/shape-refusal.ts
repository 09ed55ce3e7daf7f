// A body that does not fit, refused in OpenAI's words.
import type { z } from 'zod'
import type { Json } from '../../support/json.ts'
import { misfitOf, type Misfit } from '../shape.ts'
import { Refusal } from '../vendor.ts'

/** The body, where it fits. @throws Refusal */
export function fitting<Shape extends z.ZodType>(shape: Shape, body: Json, door: 'chat' | 'responses'): z.infer<Shape> {
  if (typeof body !== 'object' || body === null) {
    throw new Refusal(
      "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly.)",
    )
  }
  const misfit = misfitOf(shape, body)
  if (misfit) throw refusalOf(misfit, body, door)
  return body
}

const pathOf = (path: Misfit['path']): string =>
  path.map((part, at) => (typeof part === 'number' ? `[${part}]` : at === 0 ? part : `.${part}`)).join('')

function refusalOf({ path, kind, message }: Misfit, body: Json, door: 'chat' | 'responses'): Refusal {
  const param = pathOf(path)
  if (kind === 'unknown') {
    if (door === 'chat' && path.length === 1) return new Refusal(`Unrecognized request argument supplied: ${param}`)
    return new Refusal(`Unknown parameter: '${param}'.`, { param, code: 'unknown_parameter' })
  }
  if (kind === 'missing') {
    return new Refusal(`Missing required parameter: '${param}'.`, { param, code: 'missing_required_parameter' })
  }
  const value = path.reduce((inner: Json, key) => inner?.[key], body)
  if (Array.isArray(value) && value.length === 0) {
    const words = 'Expected an array with minimum length 1, but got an empty array instead.'
    return new Refusal(`Invalid '${param}': empty array. ${words}`, { param, code: 'empty_array' })
  }
  const most = typeof value === 'string' ? /<=(\d+) characters/.exec(message)?.[1] : undefined
  if (most !== undefined) {
    const words = `Expected a string with maximum length ${most}, but got a string with length ${value.length} instead.`
    return new Refusal(`Invalid '${param}': string too long. ${words}`, { param, code: 'string_above_max_length' })
  }
  return new Refusal(`Invalid value for '${param}': ${message}: ${JSON.stringify(value)}.`, {
    param,
    code: 'invalid_value',
  })
}
