// The registry of providers: one line each.
import type { Provider } from './provider.ts'
import { aiproxyLibrary } from './aiproxy-library.ts'
import { anthropic } from './anthropic.ts'
import { azure } from './azure.ts'
import { bedrock } from './bedrock.ts'
import { cerebras } from './cerebras.ts'
import { cloudflare } from './cloudflare.ts'
import { cohere } from './cohere.ts'
import { coze } from './coze.ts'
import { custom } from './custom.ts'
import { dashscope } from './dashscope.ts'
import { databricks } from './databricks.ts'
import { deepseek } from './deepseek.ts'
import { dify } from './dify.ts'
import { fastgpt } from './fastgpt.ts'
import { fireworks } from './fireworks.ts'
import { gemini, palm } from './gemini.ts'
import { groq } from './groq.ts'
import { huggingface } from './huggingface.ts'
import { hunyuan } from './hunyuan.ts'
import { jimeng } from './jimeng.ts'
import { jina } from './jina.ts'
import { kling } from './kling.ts'
import { lingyi } from './lingyi.ts'
import { llamaCpp, lmStudio, ollama, xinference } from './local-servers.ts'
import { midjourneyPlus, midjourney } from './midjourney.ts'
import { minimax } from './minimax.ts'
import { mistral } from './mistral.ts'
import { moka } from './moka.ts'
import { moonshot } from './moonshot.ts'
import { nvidia } from './nvidia.ts'
import { openai } from './openai.ts'
import { openrouter } from './openrouter.ts'
import { perplexity } from './perplexity.ts'
import { qianfan } from './qianfan.ts'
import { qihoo } from './qihoo.ts'
import { aigc2d, ails, aiproxy, api2gpt, ohmygpt, openaimax } from './resellers.ts'
import { runway } from './runway.ts'
import { sambanova } from './sambanova.ts'
import { sandbox } from './sandbox.ts'
import { siliconflow } from './siliconflow.ts'
import { snowflake } from './snowflake.ts'
import { submodel } from './submodel.ts'
import { suno } from './suno.ts'
import { together } from './together.ts'
import { venice } from './venice.ts'
import { vercel } from './vercel.ts'
import { vertex } from './vertex.ts'
import { vidu } from './vidu.ts'
import { volcengine } from './volcengine.ts'
import { voyage } from './voyage.ts'
import { wenxin } from './wenxin.ts'
import { xai } from './xai.ts'
import { xunfei } from './xunfei.ts'
import { zhipuV3, zhipu } from './zhipu.ts'

const registry: Provider[] = [
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
  kling,
  jimeng,
  vidu,
  submodel,
  sandbox,
  groq,
  together,
  fireworks,
  cerebras,
  huggingface,
  vercel,
  venice,
  voyage,
  databricks,
  snowflake,
  nvidia,
  sambanova,
  lmStudio,
  llamaCpp,
  runway,
].map((provider: Provider) => Object.freeze(provider))

/** Every provider, in the order of their numbers. */
export const allProviders: readonly Provider[] = registry

const byType = new Map(allProviders.map((provider) => [provider.type, provider]))

/** Finds the provider of a channel type; undefined for an unknown number. */
export const findProvider = (type: number): Provider | undefined => byType.get(type)

/**
 * Adds a channel type to this process, for programs with a custom one. Call it before a gateway is opened.
 * @throws Error if the number or the id is already used
 */
export function addProvider(provider: Provider): void {
  const { type, id } = provider
  if (registry.some((one) => one.type === type || one.id === id))
    throw new Error(`there is a provider ${type} or ${id}`)
  registry.push(provider)
  byType.set(type, provider)
}
