// Claude at Bedrock and at Vertex AI, strict: Anthropic's endpoint behind the addresses of a cloud, which refuses the flags
// and fields of Anthropic's that it does not take.
import type { Json } from '../support/json.ts'
import type { ReceivedRequest, TestReply } from '../support/upstream.ts'
import { anthropicVendor } from './anthropic.ts'
import { awsEvent } from './aws-event-stream.ts'
import { placesOf } from './shape.ts'
import type { Answering, VendorKind } from './vendor.ts'
import { Refusal } from './vendor.ts'

interface Cloud {
  /** Flags that the cloud takes, by its documentation. */
  flags: readonly string[]
  /** The refusal of other flags, in the cloud's words. */
  foreign(flags: readonly string[]): string
  /** Fields that Anthropic takes and the cloud refuses, without one of these flags or at all. */
  fields: Readonly<Record<string, string | undefined>>
  /** The request as Anthropic would get it. @throws Refusal */
  read(request: ReceivedRequest): { json: Json; flags: readonly string[] }
  reply?(reply: TestReply): TestReply
  refused?: VendorKind['refused']
}

const SEARCH = 'tool-search-tool-2025-10-19'
const THINKING = ['interleaved-thinking-2025-05-14', 'context-1m-2025-08-07', 'context-management-2025-06-27']
const COMPUTER = ['computer-use-2025-01-24', 'computer-use-2025-11-24']
const NEWEST = [
  ...['per-turn-control-2026-07-01', 'thinking-binding-controls-2026-08-01'],
  ...['thinking-display-updates-2026-08-18', 'dangerous-tool-use-2026-09-03'],
]

/** What is Anthropic's own, and served by no cloud. */
const OWN = { speed: undefined, fallbacks: undefined, thread: undefined, diagnostics: undefined }
const REFUSED = {
  ...OWN,
  ...{ container: undefined, mcp_servers: undefined, inference_geo: undefined, service_tier: undefined },
  'tools.*.eager_input_streaming': undefined,
  'tools.*.defer_loading': SEARCH,
}

function cloud({ flags, foreign, fields, read, reply = (one) => one, refused }: Cloud): VendorKind {
  return {
    refused: refused ?? anthropicVendor.refused,
    open(script) {
      const answer = anthropicVendor.open(script)
      return (request): ReturnType<Answering> => {
        if (request.path === '/token') return { reply: { body: { access_token: 'a-token', expires_in: 3600 } } }
        const { json, flags: sent } = read(request)
        const strange = sent.filter((flag) => !flags.includes(flag))
        if (strange.length > 0) throw new Refusal(foreign(strange))
        for (const [path, flag] of Object.entries(fields)) {
          const [place] = flag && sent.includes(flag) ? [] : placesOf(json, path.split('.'))
          if (place) throw new Refusal(`${place}: Extra inputs are not permitted`)
        }
        const headers = { 'x-api-key': 'a-key', 'anthropic-version': '2023-06-01', 'anthropic-beta': sent.join(',') }
        const { reply: said, usage } = answer({ ...request, path: '/v1/messages', headers, json })
        return { reply: reply(said), ...(usage ? { usage } : {}) }
      }
    },
  }
}

const flagsIn = ({ headers }: ReceivedRequest): string[] =>
  (headers['anthropic-beta'] ?? '').split(',').flatMap((flag) => flag.trim() || [])

const invalidFlag = () => 'invalid beta flag'

/** Words that stand in the address or in a header, and nowhere else. @throws Refusal */
function without(json: Json, ...names: string[]): Json {
  const found = names.find((name) => name in json)
  if (found) throw new Refusal(`${found}: Extra inputs are not permitted`)
  return json
}

/** @throws Refusal */
function versioned(json: Json, version: string): Json {
  const { anthropic_version, ...body } = json
  if (anthropic_version === undefined) throw new Refusal('anthropic_version: Field required')
  if (anthropic_version !== version) throw new Refusal(`anthropic_version: Input should be '${version}'`)
  return body
}

const unproven = (): Refusal => new Refusal('The security token included in the request is invalid.', { status: 403 })
const isProven = ({ headers }: ReceivedRequest): boolean =>
  /^(Bearer|AWS4-HMAC-SHA256) \S+/.test(headers.authorization ?? '')

/** InvokeModel: the model in the address, flags in the body, and a stream in AWS's framing. */
export const bedrockInvokeVendor = cloud({
  flags: [
    ...THINKING,
    ...COMPUTER,
    SEARCH,
    ...['tool-examples-2025-10-29', 'compact-2026-01-12', 'effort-2025-11-24', 'token-efficient-tools-2025-02-19'],
    ...['dev-full-thinking-2025-05-14', 'fine-grained-tool-streaming-2025-05-14', 'output-128k-2025-02-19'],
  ],
  foreign: invalidFlag,
  fields: { ...REFUSED, cache_control: undefined, output_format: undefined },
  refused: ({ message }) => ({ message }),
  read(request) {
    if (!isProven(request)) throw unproven()
    const [, model, action] = /^\/model\/([^/]+)\/(invoke|invoke-with-response-stream)$/.exec(request.path) ?? []
    if (!model) throw new Refusal('UnknownOperationException', { status: 404 })
    if (flagsIn(request).length > 0) throw new Refusal('invalid beta flag')
    const { anthropic_beta = [], ...json } = versioned(without(request.json, 'model', 'stream'), 'bedrock-2023-05-31')
    const streamed = action === 'invoke' ? {} : { stream: true }
    return { json: { ...json, model: decodeURIComponent(model), ...streamed }, flags: anthropic_beta }
  },
  reply: ({ chunks, ...reply }) =>
    chunks ? { headers: { 'content-type': 'application/vnd.amazon.eventstream' }, chunks: chunks.map(framed) } : reply,
})

const framed = (event: string | Uint8Array): Uint8Array =>
  awsEvent(JSON.parse(String(event).split('\ndata: ')[1] ?? ''))

/** Bedrock's copy of Anthropic's endpoint. */
export const bedrockMessagesVendor = cloud({
  flags: [
    ...THINKING,
    ...COMPUTER,
    ...NEWEST,
    SEARCH,
    ...['claude-code-20250219', 'tool-examples-2025-10-29', 'compact-2026-01-12', 'effort-2025-11-24'],
    ...['structured-outputs-2025-11-13', 'fine-grained-tool-streaming-2025-05-14', 'output-128k-2025-02-19'],
  ],
  foreign: invalidFlag,
  fields: REFUSED,
  read(request) {
    if (!isProven(request)) throw unproven()
    if (request.path !== '/anthropic/v1/messages') throw new Refusal('Not Found', { status: 404 })
    if (!request.headers['anthropic-version']) throw new Refusal('anthropic-version: header is required')
    if (!request.json.model.startsWith('anthropic.')) throw new Refusal(`model: ${request.json.model}`, { status: 404 })
    return { json: without(request.json, 'anthropic_version'), flags: flagsIn(request) }
  },
})

/** Vertex AI, with the token that a service account's key is exchanged for. */
export const vertexVendor = cloud({
  flags: [
    ...THINKING,
    ...COMPUTER,
    ...NEWEST,
    SEARCH,
    ...['claude-code-20250219', 'web-search-2025-03-05', 'compact-2026-01-12', 'compact-2026-09-04'],
  ],
  foreign: (flags) =>
    `Unexpected value(s) ${flags.map((flag) => `\`${flag}\``).join(', ')} for the \`anthropic-beta\` header. Please consult our documentation at docs.anthropic.com or try again without the header.`,
  fields: { ...REFUSED, cache_control: undefined, output_format: undefined },
  read(request) {
    if (!isProven(request)) throw new Refusal('Request had invalid authentication credentials.', { status: 401 })
    const address =
      /^\/v1\/projects\/[^/]+\/locations\/[^/]+\/publishers\/anthropic\/models\/([^/:]+):(rawPredict|streamRawPredict)$/
    const [, model] = address.exec(request.path) ?? []
    if (!model) throw new Refusal('Not Found', { status: 404 })
    const json = versioned(without(request.json, 'model'), 'vertex-2023-10-16')
    return { json: { ...json, model: model.replace('@', '-') }, flags: flagsIn(request) }
  },
})
