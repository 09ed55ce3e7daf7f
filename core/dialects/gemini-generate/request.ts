// A request as the caller wrote it, to the neutral form.
import type { ModelRequest, Place, ResponseFormat } from '../dialect.ts'
import { listIn, numberIn, objectIn, textIn, withoutUndefined, type JsonObject } from '../json-value.ts'
import { lostIn, readMessages } from './contents.ts'
import { camelCase, field, NAME } from './fields.ts'
import { checkedRequest, maxTokensIn } from './head.ts'
import { fromGoogle } from './schema.ts'
import { readThinking } from './thinking.ts'
import { readToolChoice, readTools } from './tools.ts'

/** Fields that the neutral form has its own words for. */
const known = new Set('model contents systemInstruction tools toolConfig generationConfig serviceTier'.split(' '))
const knownConfig = new Set(
  (
    'temperature topP topK candidateCount maxOutputTokens stopSequences presencePenalty frequencyPenalty seed ' +
    'responseMimeType responseSchema responseJsonSchema thinkingConfig responseModalities'
  ).split(' '),
)

/** @throws GatewayError request.unreadable, request.no_model, request.invalid */
export function readRequest(body: Uint8Array, place?: Place): ModelRequest {
  const { request, model } = checkedRequest(body, place)
  const config = field(request, 'generationConfig')
  const number = (name: string) => numberIn(field(config, name))
  const texts = (name: string) =>
    listIn(field(config, name))?.filter((text): text is string => typeof text === 'string')
  const { others: tools, ...called } = readTools(request)
  const { choice, others: toolConfig } = readToolChoice(request)
  const lost = lostIn(request)
  return withoutUndefined({
    dialect: NAME,
    model,
    stream: place?.stream === true,
    messages: readMessages(request),
    lost: lost.length > 0 ? lost : undefined,
    ...called,
    tool_choice: choice,
    max_tokens: maxTokensIn(config),
    temperature: number('temperature'),
    top_p: number('topP'),
    top_k: number('topK'),
    seed: number('seed'),
    presence_penalty: number('presencePenalty'),
    frequency_penalty: number('frequencyPenalty'),
    n: number('candidateCount'),
    stop: texts('stopSequences'),
    service_tier: textIn(field(request, 'serviceTier')),
    response_format: readResponseFormat(config),
    modalities: readModalities(texts('responseModalities')),
    ...readThinking(field(config, 'thinkingConfig')),
    extra: {
      ...unknown(request, known),
      ...(tools.length > 0 ? { tools } : {}),
      ...under('generationConfig', unknown(config, knownConfig)),
      ...under('toolConfig', unknown(toolConfig, new Set())),
    },
  })
}

/** Text alone is what every model answers with. */
function readModalities(words: string[] | undefined): string[] | undefined {
  const modalities = words?.map((word) => word.toLowerCase())
  return modalities?.some((word) => word !== 'text') ? modalities : undefined
}

/** Members that are said and that the neutral form has no word for. */
const unknown = (value: unknown, words: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(
    Object.entries(objectIn(value) ?? {})
      .map(([key, member]) => [camelCase(key), member] as const)
      .filter(([key, member]) => !words.has(key) && member !== null),
  )

/** Members of an inner object, named with it: `generationConfig.speechConfig`. */
const under = (name: string, members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([key, value]) => [`${name}.${key}`, value]))

function readResponseFormat(config: unknown): ResponseFormat | undefined {
  const type = field(config, 'responseMimeType')
  if (type !== 'application/json' && type !== 'text/x.enum') return undefined
  const schema = field(config, 'responseJsonSchema') ?? fromGoogle(field(config, 'responseSchema'))
  return schema === undefined ? {} : { schema }
}
