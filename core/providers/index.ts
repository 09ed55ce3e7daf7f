// The registry of providers: one line each.
import type { Provider } from './provider.ts'
import { anthropic } from './anthropic.ts'
import { cerebras } from './cerebras.ts'
import { custom } from './custom.ts'
import { deepseek } from './deepseek.ts'
import { fireworks } from './fireworks.ts'
import { gemini } from './gemini.ts'
import { groq } from './groq.ts'
import { lingyi } from './lingyi.ts'
import { minimax } from './minimax.ts'
import { mistral } from './mistral.ts'
import { moonshot } from './moonshot.ts'
import { ollama } from './ollama.ts'
import { openai } from './openai.ts'
import { openrouter } from './openrouter.ts'
import { perplexity } from './perplexity.ts'
import { qianfan } from './qianfan.ts'
import { qihoo } from './qihoo.ts'
import { sandbox } from './sandbox.ts'
import { siliconflow } from './siliconflow.ts'
import { together } from './together.ts'
import { volcengine } from './volcengine.ts'
import { xai } from './xai.ts'
import { xinference } from './xinference.ts'
import { zhipu } from './zhipu.ts'

/** Every provider, in the order of their numbers. */
export const providers: readonly Provider[] = [
  openai,
  ollama,
  custom,
  anthropic,
  qihoo,
  openrouter,
  gemini,
  moonshot,
  zhipu,
  perplexity,
  lingyi,
  minimax,
  siliconflow,
  mistral,
  deepseek,
  volcengine,
  qianfan,
  xinference,
  xai,
  sandbox,
  groq,
  together,
  fireworks,
  cerebras,
]

const byType = new Map(providers.map((provider) => [provider.type, provider]))

/** The numbers a channel's `type` may have. */
export const providerTypes: readonly number[] = [...byType.keys()]

/** The provider of a channel type; undefined for numbers nobody has. */
export const providerOf = (type: number): Provider | undefined => byType.get(type)
