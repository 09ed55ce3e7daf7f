// The bodies of Gemini's methods, as Google publishes them.
import { z } from 'zod'

const text = z.string()
const number = z.number()
const int = number.int()
const anything = z.unknown().optional()
const object = z.record(z.string(), z.unknown())
/** Whole numbers of 64 bits come as either. */
const long = z.union([int, text.regex(/^\d+$/)])

export interface GeminiSchema {
  type?: string
  properties?: Record<string, GeminiSchema>
  items?: GeminiSchema
  anyOf?: GeminiSchema[]
  required?: string[]
  enum?: string[]
  format?: string
}

/** The subset of OpenAPI's schemas that `parameters` and `responseSchema` are written in. */
const schema: z.ZodType<GeminiSchema> = z.lazy(() =>
  z.strictObject({
    type: text.regex(/^(string|number|integer|boolean|array|object|null|type_unspecified)$/i).optional(),
    format: text.optional(),
    title: text.optional(),
    description: text.optional(),
    nullable: z.boolean().optional(),
    enum: z.array(text).optional(),
    items: schema.optional(),
    maxItems: long.optional(),
    minItems: long.optional(),
    properties: z.record(text, schema).optional(),
    required: z.array(text).optional(),
    propertyOrdering: z.array(text).optional(),
    minProperties: long.optional(),
    maxProperties: long.optional(),
    minLength: long.optional(),
    maxLength: long.optional(),
    pattern: text.optional(),
    minimum: number.optional(),
    maximum: number.optional(),
    anyOf: z.array(schema).optional(),
    default: anything,
    example: anything,
  }),
)

const blob = z.strictObject({ mimeType: text, data: text, displayName: text.optional() })
const part = z.strictObject({
  text: text.optional(),
  inlineData: blob.optional(),
  fileData: z.strictObject({ mimeType: text.optional(), fileUri: text }).optional(),
  functionCall: z.strictObject({ id: text.optional(), name: text.min(1), args: object.nullish() }).optional(),
  functionResponse: z
    .strictObject({
      id: text.optional(),
      name: text.min(1),
      response: object,
      parts: z.array(z.strictObject({ inlineData: blob.optional(), fileData: anything })).optional(),
      scheduling: text.optional(),
      willContinue: z.boolean().optional(),
    })
    .optional(),
  executableCode: anything,
  codeExecutionResult: anything,
  toolCall: anything,
  toolResponse: anything,
  thought: z.boolean().optional(),
  thoughtSignature: text.optional(),
  partMetadata: anything,
  videoMetadata: anything,
  mediaResolution: anything,
})
const content = z.strictObject({ role: text.optional(), parts: z.array(part).optional() })

const declaration = z.strictObject({
  name: text,
  description: text.optional(),
  behavior: text.optional(),
  parameters: schema.optional(),
  parametersJsonSchema: anything,
  response: anything,
  responseJsonSchema: anything,
})
const tool = z.strictObject({
  functionDeclarations: z.array(declaration).optional(),
  googleSearch: z.strictObject({ timeRangeFilter: anything, searchTypes: anything }).optional(),
  googleSearchRetrieval: object.optional(),
  codeExecution: z.strictObject({}).optional(),
  urlContext: z.strictObject({}).optional(),
  computerUse: object.optional(),
  fileSearch: object.optional(),
  googleMaps: object.optional(),
  mcpServers: anything,
})

const generationConfig = z.strictObject({
  temperature: number.min(0).max(2).optional(),
  topP: number.min(0).max(1).optional(),
  topK: number.optional(),
  candidateCount: int.min(1).max(8).optional(),
  maxOutputTokens: int.min(1).optional(),
  stopSequences: z.array(text).optional(),
  responseLogprobs: z.boolean().optional(),
  logprobs: int.min(0).max(20).optional(),
  presencePenalty: number.optional(),
  frequencyPenalty: number.optional(),
  seed: int.optional(),
  responseMimeType: text.optional(),
  responseSchema: schema.optional(),
  responseJsonSchema: anything,
  responseFormat: anything,
  responseModalities: z.array(text).optional(),
  mediaResolution: text.optional(),
  speechConfig: anything,
  imageConfig: anything,
  audioTranscriptionConfig: anything,
  enableEnhancedCivicAnswers: z.boolean().optional(),
  thinkingConfig: z
    .strictObject({
      includeThoughts: z.boolean().optional(),
      thinkingBudget: int.optional(),
      thinkingLevel: text.optional(),
    })
    .optional(),
})

export const generateShape = z.strictObject({
  model: text.optional(),
  contents: z.array(content),
  systemInstruction: content.optional(),
  tools: z.array(tool).optional(),
  toolConfig: z
    .strictObject({
      functionCallingConfig: z
        .strictObject({
          mode: text.regex(/^(MODE_UNSPECIFIED|AUTO|ANY|NONE|VALIDATED)$/i).optional(),
          allowedFunctionNames: z.array(text).optional(),
        })
        .optional(),
      retrievalConfig: anything,
      includeServerSideToolInvocations: z.boolean().optional(),
    })
    .optional(),
  safetySettings: z.array(z.strictObject({ category: text, threshold: text })).optional(),
  generationConfig: generationConfig.optional(),
  cachedContent: text.optional(),
  serviceTier: text.optional(),
  store: z.boolean().optional(),
})

export const countShape = z.strictObject({
  contents: z.array(content).optional(),
  generateContentRequest: generateShape.optional(),
})

export const embedShape = z.strictObject({
  model: text.optional(),
  content,
  taskType: text.optional(),
  title: text.optional(),
  outputDimensionality: int.min(1).optional(),
})

export type GenerateBody = z.infer<typeof generateShape>
export type Content = z.infer<typeof content>
export type Part = z.infer<typeof part>
