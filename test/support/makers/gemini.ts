// Google's Gemini of the third generation: parts, calls without ids, signatures that have to come back.
import type { Json } from '../json.ts'
import type { TestReply } from '../upstream.ts'
import { halves, sse, unknownField, USAGE, type Heard, type HeardTurn, type Maker, type Said } from './maker.ts'

const KNOWN = 'contents systemInstruction tools toolConfig generationConfig safetySettings cachedContent labels'
const KNOWN_CONFIG =
  'temperature topP topK candidateCount maxOutputTokens stopSequences seed presencePenalty frequencyPenalty ' +
  'responseMimeType responseSchema responseJsonSchema responseModalities thinkingConfig'
const KNOWN_SCHEMA =
  'type format title description nullable enum items maxItems minItems properties required propertyOrdering minimum ' +
  'maximum minLength maxLength pattern anyOf example default'

const SIGNED = 'c2lnbmVkLWJ5LWdvb2dsZS0'
/** What Google takes from who has lost a signature. */
const WAIVERS = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go']

const usageMetadata = {
  promptTokenCount: USAGE.prompt,
  cachedContentTokenCount: USAGE.cached,
  candidatesTokenCount: USAGE.completion - USAGE.reasoning,
  thoughtsTokenCount: USAGE.reasoning,
  totalTokenCount: USAGE.prompt + USAGE.completion,
}

/** Google's own schemas name their types in capitals. */
const plainSchema = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema ?? null), (key, value) =>
    key === 'type' && typeof value === 'string' ? value.toLowerCase() : value,
  ) ?? undefined

function hearTurn({ role, parts }: Json): HeardTurn[] {
  const said = parts.filter(({ text, thought }: Json) => typeof text === 'string' && !thought)
  const text = said.map((part: Json) => part.text).join('')
  if (role === 'model') {
    const signed = parts.filter(({ thoughtSignature }: Json) => thoughtSignature && !WAIVERS.includes(thoughtSignature))
    const thoughts = parts.filter(({ thought }: Json) => thought).map((part: Json) => part.text)
    return [
      {
        role: 'assistant',
        text,
        thoughts: signed.map(({ thoughtSignature }: Json) => ({
          text: thoughts.join(''),
          signature: thoughtSignature,
        })),
        calls: parts.flatMap(({ functionCall }: Json) =>
          functionCall ? [{ name: functionCall.name, args: functionCall.args ?? {} }] : [],
        ),
      },
    ]
  }
  const results = parts.flatMap(({ functionResponse }: Json) =>
    functionResponse ? [{ name: functionResponse.name, text: resultOf(functionResponse.response) }] : [],
  )
  const images = parts.flatMap(({ inlineData }: Json) =>
    inlineData ? [{ type: inlineData.mimeType, data: inlineData.data }] : [],
  )
  return [
    ...(results.length > 0 ? [{ role: 'tool' as const, results }] : []),
    ...(text || images.length > 0 ? [{ role: 'user' as const, text, images }] : []),
  ]
}

const resultOf = (response: Json): string => {
  const said = response.output ?? response.result ?? response.content ?? response
  return typeof said === 'string' ? said : JSON.stringify(said)
}

function hear({ contents, systemInstruction, tools = [], generationConfig = {} }: Json): Heard {
  const declared = tools.flatMap(({ functionDeclarations = [] }: Json) => functionDeclarations)
  const thinking = generationConfig.thinkingConfig ?? {}
  return {
    system: (systemInstruction?.parts ?? []).map(({ text }: Json) => text).join('\n'),
    turns: contents.flatMap(hearTurn),
    tools: declared.map(({ name, description, parameters, parametersJsonSchema }: Json) => ({
      name,
      description,
      parameters: parametersJsonSchema ?? plainSchema(parameters),
    })),
    limit: generationConfig.maxOutputTokens,
    thinks: thinking.includeThoughts === true,
    schema: generationConfig.responseJsonSchema ?? plainSchema(generationConfig.responseSchema),
  }
}

function schemaComplaint(schema: Json): string | undefined {
  if (schema === undefined) return undefined
  const unknown = unknownField(schema, KNOWN_SCHEMA)
  if (unknown) return `Invalid JSON payload received. Unknown name "${unknown}" at 'schema': Cannot find field.`
  return [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])]
    .map(schemaComplaint)
    .find(Boolean)
}

function complaint(body: Json): string | undefined {
  const config = body.generationConfig ?? {}
  const unknown = unknownField(body, KNOWN) ?? unknownField(config, KNOWN_CONFIG)
  if (unknown) return `Invalid JSON payload received. Unknown name "${unknown}": Cannot find field.`
  const declared = (body.tools ?? []).flatMap(({ functionDeclarations = [] }: Json) => functionDeclarations)
  const odd = [config.responseSchema, ...declared.map(({ parameters }: Json) => parameters)]
    .map(schemaComplaint)
    .find(Boolean)
  if (odd) return odd
  let open = 0
  for (const { role, parts } of body.contents) {
    if (role !== undefined && role !== 'user' && role !== 'model') return 'Please use a valid role: user, model.'
    const calls = parts.filter(({ functionCall }: Json) => functionCall)
    const answers = parts.filter(({ functionResponse }: Json) => functionResponse).length
    if (answers !== open)
      return 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.'
    open = calls.length
    const signature = calls[0]?.thoughtSignature
    if (calls.length > 0 && !signature) return 'Function call is missing a thought_signature in functionCall parts.'
    const forged = parts.find(
      ({ thoughtSignature: one }: Json) => one && !one.startsWith(SIGNED) && !WAIVERS.includes(one),
    )
    if (forged) return 'Thought signature is not valid.'
  }
  return undefined
}

function partsSaid({ thought, text, calls = [] }: Said, shown: boolean): Json[] {
  const signature = thought ? { thoughtSignature: SIGNED + thought.length } : {}
  return [
    ...(thought && shown ? [{ text: thought, thought: true }] : []),
    ...(text ? [{ text, ...(calls.length === 0 ? signature : {}) }] : []),
    ...calls.map(({ name, args }, index) => ({ functionCall: { name, args }, ...(index === 0 ? signature : {}) })),
  ]
}

const piecesOf = (part: Json): Json[] => {
  if (part.text === undefined) return [part]
  const { text, thoughtSignature, ...rest } = part
  const [first, second] = halves(text)
  return [
    { ...rest, text: first },
    { ...rest, text: second, ...(thoughtSignature ? { thoughtSignature } : {}) },
  ]
}

function say(said: Said, path: string, body: Json): TestReply {
  const parts = partsSaid(said, body.generationConfig?.thinkingConfig?.includeThoughts === true)
  const finishReason = said.cut ? 'MAX_TOKENS' : 'STOP'
  const [, modelVersion] = /models\/([^:]+):/.exec(path) ?? []
  const about = { modelVersion, responseId: 'google-1' }
  const candidate = (some: Json[], more: object = {}) => ({
    content: { parts: some, role: 'model' },
    index: 0,
    ...more,
  })
  if (!path.includes('stream'))
    return { body: { candidates: [candidate(parts, { finishReason })], usageMetadata, ...about } }
  const opening = { promptTokenCount: USAGE.prompt, totalTokenCount: USAGE.prompt }
  const chunks = parts
    .flatMap(piecesOf)
    .map((part) => ({ candidates: [candidate([part])], usageMetadata: opening, ...about }))
  const last = { candidates: [candidate([{ text: '' }], { finishReason })], usageMetadata, ...about }
  return { chunks: [...chunks, last].map((chunk) => sse(chunk)) }
}

const error = (code: number, status: string, message: string, details?: Json[]): TestReply => ({
  status: code,
  body: { error: { code, message, status, ...(details ? { details } : {}) } },
})

export const geminiMaker: Maker = {
  name: 'Gemini',
  type: 24,
  model: 'gemini-3-flash-preview',
  hear: ({ json }) => hear(json),
  complaint({ path, headers, json }) {
    if (!/^\/v1beta\/models\/[\w.-]+:(generateContent|streamGenerateContent\?alt=sse)$/.test(path))
      return `Not found: ${path}`
    return headers['x-goog-api-key'] ? complaint(json) : 'Method does not allow unregistered callers.'
  },
  say: (said, { path, json }) => say(said, path, json),
  fail(failing) {
    switch (failing) {
      case 'bad key':
        return error(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
          { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID', domain: 'googleapis.com' },
        ])
      case 'forbidden':
        return error(403, 'PERMISSION_DENIED', 'The caller does not have permission')
      case 'missing':
        return error(404, 'NOT_FOUND', 'models/x is not found for API version v1beta.')
      case 'bad request':
        return error(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.')
      case 'too long':
        return error(
          400,
          'INVALID_ARGUMENT',
          'The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).',
        )
      case 'limited':
        return error(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', [
          { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' },
        ])
      case 'broken':
        return error(500, 'INTERNAL', 'An internal error has occurred.')
      case 'overloaded':
        return error(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.')
    }
  },
  failureEvent: sse({ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }),
}
