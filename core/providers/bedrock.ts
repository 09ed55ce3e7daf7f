// AWS Bedrock: Claude in Anthropic's format, open models in OpenAI's, and OpenAI's models also by the Responses API.
// Claude up to 4.6 uses InvokeModel, which has the model in the address; later versions use Bedrock's copy of
// Anthropic's endpoint.
import type { ChannelForProvider } from './channel-for-provider.ts'
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { parseClaudeVersion } from '../dialects/anthropic-messages/thinking.ts'
import { readAwsEvents } from '../dialects/answers/aws-frames.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiResponses } from '../dialects/openai-responses/index.ts'
import { setTopFields } from '../dialects/requests/patch.ts'
import { fail, words } from '../errors.ts'
import type { UpstreamReply, UpstreamRequest } from '../ports/upstream.ts'
import { adaptClaude, anthropic } from './anthropic.ts'
import { toDatedClaude } from './claude-names.ts'
import { bedrockInvokeWords, bedrockMessagesWords } from './claude-words.data.ts'
import { prefersResponses } from './openai.ts'
import { hasKeyParts, provider, type AuthorizeRequest, type UpstreamEndpoint } from './provider.ts'

const RUNTIME = 'https://bedrock-runtime.{region}.amazonaws.com'
const MANTLE = 'https://bedrock-mantle.{region}.api.aws'
const CONTROL = 'https://bedrock.{region}.amazonaws.com'

export const bedrock = provider({
  type: 33,
  id: 'aws',
  name: 'AWS Claude (Bedrock)',
  base_url: RUNTIME,
  thoughts: 'refuses',
  models: anthropic.models,
  key_has_address: true,
  hasKeyForm: hasKeyParts(2, 3),
  authorize: signedAs('bedrock'),
  chat: [
    {
      dialect: anthropicMessages,
      serves: isInvoked,
      path: ({ base, model, head: { stream }, channel }) => {
        const action = stream ? 'invoke-with-response-stream' : 'invoke'
        return `${inRegion(base, RUNTIME, channel)}/model/${encodeURIComponent(model)}/${action}`
      },
      adapt: claude(invokedId),
      takes: bedrockInvokeWords,
      adjust: asInvocation,
      inlines: ['image', 'file'],
      unwrap: unframed,
    },
    {
      dialect: anthropicMessages,
      serves: (model) => parseClaudeVersion(model) !== undefined,
      path: ({ base, channel }) => `${inRegion(base, MANTLE, channel)}/anthropic/v1/messages`,
      adapt: claude((model) => (model.startsWith('anthropic.') ? model : `anthropic.${model}`)),
      takes: bedrockMessagesWords,
      adjust: (request) => ({ ...request, headers: { 'anthropic-version': '2023-06-01', ...request.headers } }),
      authorize: signedAs('bedrock-mantle'),
    },
    {
      dialect: openaiChat,
      serves: (model) => parseClaudeVersion(model) === undefined && !isInvoked(model),
      yields: prefersResponses,
      path: ({ base, channel }) => `${inRegion(base, RUNTIME, channel)}/openai/v1/chat/completions`,
    },
    // https://docs.aws.amazon.com/bedrock/latest/userguide/inference-responses-api.html: OpenAI's models, of which the
    // open ones are at the other endpoint alone.
    {
      dialect: openaiResponses,
      serves: (model) => OPEN.test(model),
      path: ({ base, channel }) => `${inRegion(base, MANTLE, channel)}/v1/responses`,
      authorize: signedAs('bedrock-mantle'),
    },
    {
      dialect: openaiResponses,
      serves: (model) => OPENAI.test(model) && !OPEN.test(model),
      path: ({ base, channel }) => `${inRegion(base, RUNTIME, channel)}/openai/v1/responses`,
    },
  ],
  models_path: ({ base, channel }) => `${inRegion(base, CONTROL, channel)}/foundation-models?byOutputModality=TEXT`,
  fields: {
    key: {
      label: words('Access key, secret key and region; or a Bedrock API key and region'),
      placeholder: 'AccessKey|SecretKey|us-east-1',
      required: true,
    },
  },
})

/** @throws GatewayError channel.key_format */
function parseKey({ key }: Pick<ChannelForProvider, 'key'>): {
  token?: string
  access: string
  secret: string
  region: string
} {
  const parts = key.split('|').map((part) => part.trim())
  const [first = '', second = '', third = ''] = parts
  if (parts.some((part) => part === '') || parts.length < 2 || parts.length > 3) return fail('channel.key_format')
  return parts.length === 2
    ? { token: first, access: '', secret: '', region: second }
    : { access: first, secret: second, region: third }
}

/** Bedrock's key is sent as a bearer token; the two keys of an account sign the request. */
function signedAs(service: string): AuthorizeRequest {
  return (channel, request, { signer }) => {
    const { token, access, secret, region } = parseKey(channel)
    if (token) return { authorization: `Bearer ${token}` }
    return signer.aws(request, { access_key: access, secret_key: secret, region, service })
  }
}

/** A channel's own address counts for all; else each service has its own, in the region that the key names. */
const inRegion = (base: string, own: string, channel: ChannelForProvider): string =>
  (base === RUNTIME ? own : base).replace('{region}', parseKey(channel).region)

/** OpenAI's models there, and those whose weights are open. */
const OPENAI = /^(?:[a-z-]+\.)?openai\./
const OPEN = /^(?:[a-z-]+\.)?openai\.gpt-oss/

const MANTLE_FROM = 407
const PROFILES_FROM = 307
const GLOBAL_FROM = 405

/** Returns true for names with Bedrock's suffix, a profile or an ARN, which need InvokeModel for any version. */
function isInvoked(model: string): boolean {
  if (/^arn:|^[a-z-]+\.anthropic\.|^anthropic\..*-v\d+(:\d+)?$/.test(model)) return true
  const version = parseClaudeVersion(model)
  return version !== undefined && version < MANTLE_FROM
}

/** A model's id there; from 3.7 on it is reached only through a profile of its region. */
function invokedId(model: string, channel: ChannelForProvider): string {
  if (/^arn:|anthropic\./.test(model)) return model
  const name = toDatedClaude(model)
  const plain = `anthropic.${name}${endings[name] ?? (/-\d{8}$/.test(name) ? '-v1:0' : '')}`
  const version = parseClaudeVersion(model) ?? 0
  return version < PROFILES_FROM ? plain : `${getProfile(parseKey(channel).region, version)}.${plain}`
}

const endings: Record<string, string> = { 'claude-3-5-sonnet-20241022': '-v2:0', 'claude-opus-4-6': '-v1' }

/** Narrower ones (`jp.`, `au.`) are for operators to name, by a model mapping. */
function getProfile(region: string, version: number): string {
  const [area = ''] = /^(us-gov|us|eu|ap)(?=-)/.exec(region) ?? []
  if (area === 'ap' || area === '') return area === 'ap' && version < GLOBAL_FROM ? 'apac' : 'global'
  return area
}

/** Returns the changes by Anthropic's settings, with the model's name at Bedrock. */
function claude(idOf: (model: string, channel: ChannelForProvider) => string): UpstreamEndpoint['adapt'] {
  return (model, head, settings, channel) => {
    const adapted = adaptClaude(model, head, settings)
    return { ...adapted, model: idOf(adapted.model ?? model, channel) }
  }
}

/** Converts a request: model and streaming are in the address, and headers of Anthropic's API become fields. */
function asInvocation(request: UpstreamRequest): UpstreamRequest {
  const { 'anthropic-version': _, 'anthropic-beta': betas, ...headers } = request.headers
  const anthropic_beta = betas?.split(',').map((beta) => beta.trim())
  const fields = {
    model: null,
    stream: null,
    anthropic_version: 'bedrock-2023-05-31',
    ...(anthropic_beta ? { anthropic_beta } : {}),
  }
  const body = request.body && setTopFields(request.body, fields)
  return { ...request, headers: { ...headers, accept: 'application/json' }, ...(body ? { body } : {}) }
}

function unframed(reply: UpstreamReply): UpstreamReply {
  if (!reply.headers['content-type']?.startsWith('application/vnd.amazon.eventstream')) return reply
  return {
    ...reply,
    headers: { ...reply.headers, 'content-type': 'text/event-stream' },
    body: readAwsEvents(reply.body),
  }
}
