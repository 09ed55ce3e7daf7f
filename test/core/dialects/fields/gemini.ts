// The fields of generateContent, as Google's client and its reference declare them, with the kinds of its parts and tools.
import type { GenerateContentConfig, Part, Tool } from '@google/genai'
import { PNG, schema, within, type Sample, type Samples } from './sample.ts'

const declared = { functionDeclarations: [{ name: 'f', description: 'Does.', parametersJsonSchema: schema }] }
const two = { functionDeclarations: [...declared.functionDeclarations, { name: 'g' }, { name: 'h' }] }

/** Of the client alone, not of what it sends. */
type ClientOnly = 'httpOptions' | 'abortSignal' | 'automaticFunctionCalling' | 'automaticContinuation'
const TOP =
  'systemInstruction safetySettings tools toolConfig labels cachedContent serviceTier store modelArmorConfig continuationToken'

const fields = {
  audioTimestamp: true,
  audioTranscriptionConfig: { a: 1 },
  cachedContent: 'cachedContents/1',
  candidateCount: 2,
  continuationToken: 'x',
  enableEnhancedCivicAnswers: true,
  frequencyPenalty: 0.5,
  generationOutputConfig: { a: 1 },
  imageConfig: { aspectRatio: '1:1' },
  labels: { a: 'b' },
  logprobs: 2,
  maxOutputTokens: 99,
  mediaResolution: 'MEDIA_RESOLUTION_LOW',
  modelArmorConfig: { promptTemplateName: 'x' },
  modelSelectionConfig: { a: 1 },
  presencePenalty: 0.5,
  responseJsonSchema: schema,
  responseLogprobs: true,
  responseMimeType: 'application/json',
  responseModalities: ['TEXT', 'IMAGE'],
  responseSchema: { type: 'OBJECT', properties: { a: { type: 'STRING' } } },
  routingConfig: { a: 1 },
  safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
  seed: 7,
  serviceTier: 'flex',
  speechConfig: { languageCode: 'de' },
  stopSequences: ['END'],
  store: true,
  systemInstruction: { parts: [{ text: 'Be brief.' }] },
  temperature: 0.5,
  thinkingConfig: { thinkingBudget: 2048 },
  toolConfig: { retrievalConfig: { languageCode: 'de' } },
  tools: [declared],
  topK: 5,
  topP: 0.5,
} satisfies Record<Exclude<keyof GenerateContentConfig, ClientOnly>, unknown>

const parts = {
  text: 'More',
  inlineData: { mimeType: 'image/png', data: PNG },
  fileData: { fileUri: 'https://a.test/a.pdf', mimeType: 'application/pdf' },
  functionCall: { name: 'f', args: { a: 'b' } },
  functionResponse: { name: 'f', response: { a: 'b' } },
  executableCode: { language: 'PYTHON', code: '1' },
  codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' },
  thought: true,
  thoughtSignature: 'c2ln',
  toolCall: { toolType: 'GOOGLE_SEARCH', args: { a: 'b' } },
  toolResponse: { toolType: 'GOOGLE_SEARCH', response: { a: 'b' } },
  audioTranscription: { text: 'More' },
  videoMetadata: { fps: 1 },
  mediaResolution: { level: 'MEDIA_RESOLUTION_LOW' },
  partMetadata: { a: 'b' },
  mediaProcessing: { a: 'b' },
  speechMetadata: { a: 'b' },
} satisfies Record<keyof Part, unknown>

const tools = {
  functionDeclarations: declared.functionDeclarations,
  googleSearch: {},
  googleSearchRetrieval: {},
  enterpriseWebSearch: {},
  urlContext: {},
  codeExecution: {},
  googleMaps: {},
  computerUse: { environment: 'ENVIRONMENT_BROWSER' },
  fileSearch: { fileSearchStoreNames: ['x'] },
  retrieval: { vertexRagStore: { a: 'b' } },
  mcpServers: [{ name: 'a' }],
  exaAiSearch: { a: 'b' },
  parallelAiSearch: { a: 'b' },
} satisfies Record<keyof Tool, unknown>

/** A thought and its proof stand beside a model's words, and a video's or picture's details beside it. */
const beside = (name: string): object =>
  /^(video|media)/.test(name) ? { inlineData: parts.inlineData } : name.startsWith('thought') ? { text: 'Well' } : {}

const turn = (name: string, value: object): object => ({
  contents: [
    { role: 'user', parts: [{ text: 'Hello' }] },
    { role: /^(thought|functionCall|executable|codeExec|toolCall)/.test(name) ? 'model' : 'user', parts: [value] },
  ],
})

const withTools = (more: object): Sample => ({ with: { tools: [two], ...more }, without: { tools: [two] } })
const config = (more: object): Sample => ({ with: { generationConfig: more } })

export const gemini: Samples = {
  ...Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      TOP.split(' ').includes(name) ? { with: { [name]: value } } : config({ [name]: value }),
    ]),
  ),
  logprobs: {
    with: { generationConfig: { responseLogprobs: true, logprobs: 2 } },
    without: { generationConfig: { responseLogprobs: true } },
  },
  responseJsonSchema: config({ responseMimeType: 'application/json', responseJsonSchema: schema }),
  responseSchema: config({ responseMimeType: 'application/json', responseSchema: fields.responseSchema }),
  'thinkingConfig.thinkingLevel': config({ thinkingConfig: { thinkingLevel: 'HIGH' } }),
  'thinkingConfig.includeThoughts': config({ thinkingConfig: { includeThoughts: true } }),
  'toolConfig.functionCallingConfig.mode': withTools({ toolConfig: { functionCallingConfig: { mode: 'ANY' } } }),
  'toolConfig.functionCallingConfig.allowedFunctionNames': withTools({
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f', 'g'] } },
  }),
  'fileData.fileUri at Google': {
    with: turn('', { fileData: { fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/1' } }),
  },
  'tools.googleSearch.excludeDomains': {
    with: { tools: [{ googleSearch: { excludeDomains: ['a.test'] } }] },
    without: { tools: [{ googleSearch: {} }] },
  },
  ...within('tools.functionDeclarations.', { behavior: 'BLOCKING', response: { type: 'STRING' } }, (value) => {
    const [one] = declared.functionDeclarations
    const more = typeof value === 'string' ? { behavior: value } : { response: value }
    return { with: { tools: [{ functionDeclarations: [{ ...one, ...more }] }] }, without: { tools: [declared] } }
  }),
  ...Object.fromEntries(
    Object.entries(parts).map(([name, value]) => [
      `part ${name}`,
      {
        with: turn(name, { ...beside(name), [name]: value }),
        ...(Object.keys(beside(name)).length > 0 ? { without: turn(name, beside(name)) } : {}),
      },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(tools).map(([name, value]) => [`tool ${name}`, { with: { tools: [{ [name]: value }] } }]),
  ),
}
