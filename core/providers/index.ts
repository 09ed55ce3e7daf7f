// The registry of providers: one line each.
import type { Provider } from './provider.ts'
import { aigc2d } from './aigc2d.ts'
import { ails } from './ails.ts'
import { aiproxy } from './aiproxy.ts'
import { aiproxyLibrary } from './aiproxy-library.ts'
import { anthropic } from './anthropic.ts'
import { api2gpt } from './api2gpt.ts'
import { azure } from './azure.ts'
import { bedrock } from './bedrock.ts'
import { cerebras } from './cerebras.ts'
import { cloudflare } from './cloudflare.ts'
import { cohere } from './cohere.ts'
import { coze } from './coze.ts'
import { custom } from './custom.ts'
import { dashscope } from './dashscope.ts'
import { deepseek } from './deepseek.ts'
import { dify } from './dify.ts'
import { fastgpt } from './fastgpt.ts'
import { fireworks } from './fireworks.ts'
import { gemini } from './gemini.ts'
import { groq } from './groq.ts'
import { hunyuan } from './hunyuan.ts'
import { jina } from './jina.ts'
import { lingyi } from './lingyi.ts'
import { midjourney } from './midjourney.ts'
import { midjourneyPlus } from './midjourney-plus.ts'
import { minimax } from './minimax.ts'
import { mistral } from './mistral.ts'
import { moka } from './moka.ts'
import { moonshot } from './moonshot.ts'
import { ohmygpt } from './ohmygpt.ts'
import { ollama } from './ollama.ts'
import { openai } from './openai.ts'
import { openaimax } from './openaimax.ts'
import { openrouter } from './openrouter.ts'
import { palm } from './palm.ts'
import { perplexity } from './perplexity.ts'
import { qianfan } from './qianfan.ts'
import { qihoo } from './qihoo.ts'
import { sandbox } from './sandbox.ts'
import { siliconflow } from './siliconflow.ts'
import { suno } from './suno.ts'
import { together } from './together.ts'
import { vertex } from './vertex.ts'
import { volcengine } from './volcengine.ts'
import { wenxin } from './wenxin.ts'
import { xai } from './xai.ts'
import { xinference } from './xinference.ts'
import { xunfei } from './xunfei.ts'
import { zhipu } from './zhipu.ts'
import { zhipuV3 } from './zhipu-v3.ts'

/** Every provider, in the order of their numbers. */
export const providers: readonly Provider[] = [
  openai,
  midjourney,
  azure,
  ollama,
  midjourneyPlus,
  openaimax,
  ohmygpt,
  custom,
  ails,
  aiproxy,
  palm,
  api2gpt,
  aigc2d,
  anthropic,
  wenxin,
  zhipuV3,
  dashscope,
  xunfei,
  qihoo,
  openrouter,
  aiproxyLibrary,
  fastgpt,
  hunyuan,
  gemini,
  moonshot,
  zhipu,
  perplexity,
  lingyi,
  bedrock,
  cohere,
  minimax,
  suno,
  dify,
  jina,
  cloudflare,
  siliconflow,
  vertex,
  mistral,
  deepseek,
  moka,
  volcengine,
  qianfan,
  xinference,
  xai,
  coze,
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
