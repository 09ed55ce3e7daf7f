// The kinds of channels that agents are sent to, each with a model of its vendor's own: three for every agent, the others for
// those that use them most.
import { anthropicVendor } from '../vendors/anthropic.ts'
import { bedrockInvokeVendor, bedrockMessagesVendor, vertexVendor } from '../vendors/clouds.ts'
import { compatibleVendor } from '../vendors/compatible.ts'
import { geminiVendor } from '../vendors/gemini.ts'
import { openaiVendor } from '../vendors/openai.ts'
import type { VendorKind } from '../vendors/vendor.ts'
import { serviceAccount } from '../support/service-account.ts'

/** What a channel says of its vendor, in addition to type and models. */
export interface ChannelFields {
  key?: string
  base_url?: string
  other?: string
  /** Settings of the channel, as JSON. */
  setting?: string
}

export interface Kind {
  name: string
  /** Of the channel. */
  type: number
  model: string
  vendor: VendorKind
  /** The agents that are sent there, as `labelOf` names them. Undefined for every agent. */
  agents?: readonly string[]
  /** Fields of the channel that are not the common ones, for a vendor at this address. */
  channel?(url: string): ChannelFields | Promise<ChannelFields>
}

const CLAUDE = ['Claude Code (Messages)', 'opencode (Messages)']
const COMPATIBLE = ['Claude Code (Messages)', 'Codex (Responses)', 'opencode (Chat)']
/** What an operator sets where callers of Chat send words that the server refuses. */
const mending = () => ({ setting: '{"mend_requests":true}' })
const aws = () => ({ key: 'a-bedrock-api-key|us-east-1' })

export const kinds: readonly Kind[] = [
  { name: 'openai', type: 1, model: 'gpt-6.2-sol', vendor: openaiVendor },
  { name: 'anthropic', type: 14, model: 'claude-sonnet-5-5', vendor: anthropicVendor },
  { name: 'gemini', type: 24, model: 'gemini-3.8-flash', vendor: geminiVendor },
  { name: 'anthropic-opus', type: 14, model: 'claude-opus-5-5', vendor: anthropicVendor, agents: CLAUDE },
  {
    name: 'bedrock',
    type: 33,
    model: 'anthropic.claude-opus-5-5',
    vendor: bedrockMessagesVendor,
    agents: CLAUDE,
    channel: aws,
  },
  {
    name: 'bedrock-invoke',
    type: 33,
    model: 'us.anthropic.claude-sonnet-5-5',
    vendor: bedrockInvokeVendor,
    agents: CLAUDE,
    channel: aws,
  },
  {
    name: 'vertex',
    type: 41,
    model: 'claude-haiku-5-5',
    vendor: vertexVendor,
    agents: CLAUDE,
    channel: async (url) => ({ key: await serviceAccount(`${url}/token`), other: 'global' }),
  },
  { name: 'groq', type: 1001, model: 'openai/gpt-oss-120b', vendor: compatibleVendor('groq'), agents: COMPATIBLE, channel: mending },
  { name: 'cerebras', type: 1004, model: 'gpt-oss-120b', vendor: compatibleVendor('cerebras'), agents: COMPATIBLE, channel: mending },
  { name: 'deepseek', type: 43, model: 'deepseek-v4-pro', vendor: compatibleVendor('deepseek'), agents: COMPATIBLE },
  { name: 'kimi', type: 25, model: 'kimi-k3', vendor: compatibleVendor('kimi'), agents: COMPATIBLE },
  {
    name: 'vllm',
    type: 8,
    model: 'Qwen/Qwen3.8-27B',
    vendor: compatibleVendor('vllm'),
    agents: COMPATIBLE,
    channel: (url) => ({ base_url: `${url}/v1/chat/completions` }),
  },
]
