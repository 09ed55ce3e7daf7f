// Cloudflare Workers AI: open models of an account, in OpenAI's format.
import { words } from '../errors.ts'
import type { ChannelForProvider } from './channel-for-provider.ts'
import {
  isWhisper,
  takesWhisperJson,
  whisperJsonFormat,
  whisperRawFormat,
} from '../dialects/media/cloudflare-whisper.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiEmbeddings } from '../dialects/embeddings/openai-embeddings.ts'
import { openaiResponses } from '../dialects/openai-responses/index.ts'
import { names, requireOther, provider, type EndpointCall } from './provider.ts'

const ACCOUNT = words('Account id')

export const cloudflare = provider({
  type: 39,
  id: 'cloudflare',
  name: 'Cloudflare Workers AI',
  base_url: 'https://api.cloudflare.com',
  thoughts: 'refuses',
  models: names(`
    @cf/openai/gpt-oss-120b, @cf/openai/gpt-oss-20b, @cf/moonshotai/kimi-k2.7-code, @cf/moonshotai/kimi-k2.6,
    @cf/zai-org/glm-5.2, @cf/zai-org/glm-4.7-flash, @cf/meta/llama-4-scout-17b-16e-instruct,
    @cf/meta/llama-3.3-70b-instruct-fp8-fast, @cf/mistralai/mistral-small-3.1-24b-instruct,
    @cf/qwen/qwen3-30b-a3b-fp8, @cf/google/gemma-4-26b-a4b-it, @cf/openai/whisper,
    @cf/openai/whisper-large-v3-turbo
  `),
  env: 'CLOUDFLARE_API_TOKEN',
  chat: [
    {
      dialect: openaiChat,
      path: ({ base, channel }) => `${base + account(channel)}/v1/chat/completions`,
    },
    {
      dialect: openaiResponses,
      // Only OpenAI's models are served there.
      serves: (model) => model.startsWith('@cf/openai/'),
      path: ({ base, channel }) => `${base + account(channel)}/v1/responses`,
    },
  ],
  embeddings: [
    {
      dialect: openaiEmbeddings,
      path: ({ base, channel }) => `${base + account(channel)}/v1/embeddings`,
    },
  ],
  transcription: [
    { dialect: whisperJsonFormat, path: runPath, serves: takesWhisperJson },
    { dialect: whisperRawFormat, path: runPath, serves: (model) => isWhisper(model) && !takesWhisperJson(model) },
  ],
  models_path: ({ base, channel }) => `${base + account(channel)}/models/search?per_page=1000`,
  fields: {
    key: { label: words('API token'), required: true },
    other: {
      label: ACCOUNT,
      help: words('Of the Cloudflare account that pays'),
      placeholder: '32 hexadecimal digits',
      required: true,
    },
  },
})

/** Returns the address of a model that has a format of its own. The name keeps its slashes. */
function runPath({ base, channel, model }: EndpointCall): string {
  return `${base + account(channel)}/run/${model.split('/').map(encodeURIComponent).join('/').replaceAll('%40', '@')}`
}

/** @throws GatewayError channel.other without an account */
function account(channel: ChannelForProvider): string {
  return `/client/v4/accounts/${encodeURIComponent(requireOther(channel, ACCOUNT))}/ai`
}
