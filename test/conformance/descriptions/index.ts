// The descriptions of answers that vendors publish, and which of their definitions an answer of each kind has to meet.

export type DescriptionName = 'openai' | 'anthropic' | 'gemini' | 'open-responses'

interface Description {
  /** The definitions that answers are held against. */
  roots: readonly string[]
  /** Whose recordings show which required members it leaves out itself. */
  vendor: string
  /** Its newest models among them: what they leave out is not required. */
  newest: RegExp
  /** By the recordings' format: a whole answer, and an event of a stream. */
  apis: Readonly<Record<string, { whole: string; event: string }>>
}

/** Open Responses names each event of a stream by itself. */
export const OPEN_EVENTS = (
  'ResponseCreated ResponseInProgress ResponseCompleted ResponseFailed ResponseIncomplete ResponseOutputItemAdded ' +
  'ResponseOutputItemDone ResponseContentPartAdded ResponseContentPartDone ResponseOutputTextDelta ResponseOutputTextDone ' +
  'ResponseOutputTextAnnotationAdded ResponseRefusalDelta ResponseRefusalDone ResponseReasoningSummaryPartAdded ' +
  'ResponseReasoningSummaryPartDone ResponseReasoningSummaryDelta ResponseReasoningSummaryDone ResponseReasoningDelta ' +
  'ResponseReasoningDone ResponseFunctionCallArgumentsDelta ResponseFunctionCallArgumentsDone Error'
)
  .split(' ')
  .map((name) => `${name}StreamingEvent`)

export const DESCRIPTIONS: Readonly<Record<DescriptionName, Description>> = {
  openai: {
    roots: [
      ...[
        'CreateChatCompletionResponse',
        'CreateChatCompletionStreamResponse',
        'Response',
        'ResponseStreamEvent',
        'CompactResource',
      ],
      ...['ErrorResponse', 'CreateEmbeddingResponse', 'ListModelsResponse'],
    ],
    vendor: 'openai',
    newest: /^gpt-5\.6/,
    apis: {
      'openai.chat': { whole: 'CreateChatCompletionResponse', event: 'CreateChatCompletionStreamResponse' },
      'openai.responses': { whole: 'Response', event: 'ResponseStreamEvent' },
    },
  },
  anthropic: {
    roots: ['Message', 'RawMessageStreamEvent', 'ErrorResponse', 'MessageTokensCount', 'ModelInfo'],
    vendor: 'anthropic',
    newest: /^claude-(sonnet-5|opus-4-8)/,
    apis: { 'anthropic.messages': { whole: 'Message', event: 'RawMessageStreamEvent' } },
  },
  gemini: {
    roots: [
      ...['GenerateContentResponse', 'CountTokensResponse', 'EmbedContentResponse', 'BatchEmbedContentsResponse'],
      ...['ListModelsResponse', 'ErrorResponse'],
    ],
    vendor: 'google',
    newest: /^$/,
    // What it requires was found in the recordings.
    apis: {},
  },
  'open-responses': {
    roots: ['ResponseResource', ...OPEN_EVENTS],
    vendor: 'openai',
    newest: /^$/,
    apis: {},
  },
}
