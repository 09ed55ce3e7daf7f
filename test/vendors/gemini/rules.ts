// Gemini's rules for a request of the right shape, without its contents.
import { Refusal } from '../vendor.ts'
import { placeOf } from './field-names.ts'
import type { GeminiSchema, GenerateBody } from './shape.ts'

const FUNCTION_NAME = /^[a-zA-Z_][\w.:-]{0,127}$/
const MOST_STOPS = 5
const MOST_OUTPUT = 65_536
const formats: Record<string, readonly string[]> = {
  string: ['enum', 'date-time'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
}

/** 2 of `gemini-2.5-pro`. */
const generationOf = (model: string): number => Number(/gemini-(\d+(?:\.\d+)?)/.exec(model)?.[1] ?? 3)

/** Does it think unless it is told not to? */
export const thinks = (model: string): boolean => generationOf(model) >= 2.5

/** @throws Refusal */
export function checkOptions(model: string, body: GenerateBody): void {
  const { generationConfig: config = {} } = body
  const path = ['generationConfig']
  if ((config.maxOutputTokens ?? 1) > MOST_OUTPUT) {
    throw new Refusal(
      `Unable to submit request because it has a maxOutputTokens value of ${config.maxOutputTokens} but the supported range is from 1 (inclusive) to ${MOST_OUTPUT + 1} (exclusive). Update the value and try again.`,
    )
  }
  const stops = config.stopSequences ?? []
  if (stops.length > MOST_STOPS)
    throw field([...path, 'stopSequences'], `must not contain more than ${MOST_STOPS} stop sequences`)
  if (stops.includes('')) throw field([...path, 'stopSequences'], 'stop sequences must not be empty')
  if (thinks(model) && (config.presencePenalty || config.frequencyPenalty))
    throw new Refusal(`Penalty is not enabled for models/${model}`)
  if (thinks(model) && config.responseLogprobs) throw new Refusal(`Logprobs is not enabled for models/${model}`)
  if (config.logprobs !== undefined && !config.responseLogprobs)
    throw new Refusal('Logprobs requires response_logprobs to be true.')
  if (config.responseSchema && config.responseJsonSchema !== undefined) {
    throw field([...path, 'responseSchema'], 'only one of response_schema and response_json_schema may be set')
  }
  const structured = config.responseSchema ?? config.responseJsonSchema
  if (structured !== undefined && !/^(application\/json|text\/x\.enum)$/.test(config.responseMimeType ?? '')) {
    throw field([...path, 'responseSchema'], 'only allowed when response_mime_type is application/json or text/x.enum')
  }
  if (config.responseSchema) checkSchema(config.responseSchema, [...path, 'responseSchema'])
  checkThinking(model, config.thinkingConfig)
  checkTools(model, body)
}

const field = (path: readonly (string | number)[], words: string): Refusal =>
  new Refusal(`* GenerateContentRequest.${placeOf(path)}: ${words}\n`)

function checkSchema(schema: GeminiSchema, path: readonly (string | number)[]): void {
  const type = schema.type?.toLowerCase()
  if (type === undefined && !schema.anyOf) throw field([...path, 'type'], 'must be specified')
  if (type === 'array' && !schema.items) throw field([...path, 'items'], 'missing field.')
  if (schema.enum && type !== 'string') throw field([...path, 'enum'], 'only allowed for STRING type')
  if (schema.enum?.includes('')) throw field([...path, 'enum'], 'cannot be empty')
  if (type === 'object' && Object.keys(schema.properties ?? {}).length === 0) {
    throw field([...path, 'properties'], 'should be non-empty for OBJECT type')
  }
  for (const [at, name] of (schema.required ?? []).entries()) {
    if (!(name in (schema.properties ?? {}))) throw field([...path, 'required', at], 'property is not defined')
  }
  const allowed = formats[type ?? '']
  if (schema.format && allowed && !allowed.includes(schema.format)) {
    throw field(
      [...path, 'format'],
      `only ${allowed.map((each) => `'${each}'`).join(' and ')} are supported for ${type?.toUpperCase()} type`,
    )
  }
  for (const [name, inner] of Object.entries(schema.properties ?? {})) checkSchema(inner, [...path, 'properties', name])
  if (schema.items) checkSchema(schema.items, [...path, 'items'])
  for (const [at, inner] of (schema.anyOf ?? []).entries()) checkSchema(inner, [...path, 'anyOf', at])
}

type Thinking = NonNullable<GenerateBody['generationConfig']>['thinkingConfig']

function checkThinking(model: string, thinking: Thinking): void {
  const { thinkingBudget: budget, thinkingLevel: level, includeThoughts } = thinking ?? {}
  if (budget !== undefined && level !== undefined)
    throw new Refusal('You can only set only one of thinking budget and thinking level.')
  if (!thinks(model) && (budget !== undefined || level !== undefined || includeThoughts))
    throw new Refusal('Thinking is not supported for this model.')
  if (level !== undefined) {
    const levels = /^gemini-3(\.[0-6])?-flash/.test(model)
      ? ['MINIMAL', 'LOW', 'MEDIUM', 'HIGH']
      : generationOf(model) > 3
        ? ['LOW', 'MEDIUM', 'HIGH']
        : ['LOW', 'HIGH']
    if (generationOf(model) < 3) throw new Refusal('Thinking level is not supported for this model.')
    if (!levels.includes(level.toUpperCase()))
      throw new Refusal(`Thinking level ${level} is not supported for this model.`)
  }
  if (budget === undefined || budget === -1) return
  const pro = !model.includes('flash')
  if (pro && budget === 0) throw new Refusal('Budget 0 is invalid. This model only works in thinking mode.')
  const [least, most] = pro ? [128, 32_768] : [0, 24_576]
  if (budget < least || budget > most) {
    throw new Refusal(`The thinking budget ${budget} is invalid. Please choose a value between ${least} and ${most}.`)
  }
}

function checkTools(model: string, { tools = [], toolConfig, generationConfig }: GenerateBody): void {
  const declared = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations)
  const built = tools.flatMap((tool) => Object.keys(tool).filter((name) => name !== 'functionDeclarations'))
  for (const [at, tool] of tools.entries()) {
    for (const [place, { name, parameters, parametersJsonSchema }] of (tool.functionDeclarations ?? []).entries()) {
      const path = ['tools', at, 'functionDeclarations', place]
      if (!FUNCTION_NAME.test(name)) {
        throw field(
          [...path, 'name'],
          '[FIELD_INVALID] Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 128.',
        )
      }
      if (parameters && parametersJsonSchema !== undefined)
        throw field([...path, 'parameters'], 'only one of parameters and parameters_json_schema may be set')
      if (parameters) checkSchema(parameters, [...path, 'parameters'])
      if (declared.filter((other) => other.name === name).length > 1)
        throw new Refusal(`Duplicate function declaration found: ${name}`)
    }
  }
  const [first] = built
  if (first && declared.length > 0 && !(generationOf(model) >= 3 && toolConfig?.includeServerSideToolInvocations)) {
    throw new Refusal(
      generationOf(model) >= 3
        ? 'Please enable tool_config.include_server_side_tool_invocations to use Built-in tools with Function calling.'
        : `Built-in tools ({${placeOf([first])}}) and Function Calling cannot be combined in the same request.`,
    )
  }
  if (generationOf(model) < 3 && tools.length > 0 && generationConfig?.responseMimeType === 'application/json') {
    throw new Refusal("Function calling with a response mime type: 'application/json' is unsupported")
  }
  const { mode = '', allowedFunctionNames } = toolConfig?.functionCallingConfig ?? {}
  if (allowedFunctionNames && !/^(ANY|VALIDATED)$/i.test(mode)) {
    throw field(
      ['toolConfig', 'functionCallingConfig', 'allowedFunctionNames'],
      'should be set only when the calling mode is ANY or VALIDATED',
    )
  }
  if (/^ANY$/i.test(mode) && declared.length === 0)
    throw new Refusal('Function calling config is set without function_declarations.')
  const stray = allowedFunctionNames?.find((each) => !declared.some(({ name }) => name === each))
  if (stray !== undefined) throw new Refusal(`Function calling config contains names that are not declared: ${stray}`)
}
