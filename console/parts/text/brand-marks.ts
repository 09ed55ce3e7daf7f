// The marks of providers and of makers of models, as files of @lobehub/icons-static-svg (MIT; public/licences.txt). Only
// the files that are named here are copied when the console is built.
import openai from '@lobehub/icons-static-svg/icons/openai.svg?no-inline'
import claude from '@lobehub/icons-static-svg/icons/claude-color.svg?no-inline'
import anthropic from '@lobehub/icons-static-svg/icons/anthropic.svg?no-inline'
import gemini from '@lobehub/icons-static-svg/icons/gemini-color.svg?no-inline'
import gemma from '@lobehub/icons-static-svg/icons/gemma-color.svg?no-inline'
import google from '@lobehub/icons-static-svg/icons/google-color.svg?no-inline'
import deepseek from '@lobehub/icons-static-svg/icons/deepseek-color.svg?no-inline'
import qwen from '@lobehub/icons-static-svg/icons/qwen-color.svg?no-inline'
import meta from '@lobehub/icons-static-svg/icons/meta-color.svg?no-inline'
import mistral from '@lobehub/icons-static-svg/icons/mistral-color.svg?no-inline'
import grok from '@lobehub/icons-static-svg/icons/grok.svg?no-inline'
import xai from '@lobehub/icons-static-svg/icons/xai.svg?no-inline'
import zhipu from '@lobehub/icons-static-svg/icons/zhipu-color.svg?no-inline'
import kimi from '@lobehub/icons-static-svg/icons/kimi.svg?no-inline'
import moonshot from '@lobehub/icons-static-svg/icons/moonshot.svg?no-inline'
import cohere from '@lobehub/icons-static-svg/icons/cohere-color.svg?no-inline'
import wenxin from '@lobehub/icons-static-svg/icons/wenxin-color.svg?no-inline'
import baidu from '@lobehub/icons-static-svg/icons/baidu-color.svg?no-inline'
import hunyuan from '@lobehub/icons-static-svg/icons/hunyuan-color.svg?no-inline'
import doubao from '@lobehub/icons-static-svg/icons/doubao-color.svg?no-inline'
import spark from '@lobehub/icons-static-svg/icons/spark-color.svg?no-inline'
import yi from '@lobehub/icons-static-svg/icons/yi-color.svg?no-inline'
import minimax from '@lobehub/icons-static-svg/icons/minimax-color.svg?no-inline'
import perplexity from '@lobehub/icons-static-svg/icons/perplexity-color.svg?no-inline'
import jina from '@lobehub/icons-static-svg/icons/jina.svg?no-inline'
import voyage from '@lobehub/icons-static-svg/icons/voyage-color.svg?no-inline'
import baai from '@lobehub/icons-static-svg/icons/baai.svg?no-inline'
import nova from '@lobehub/icons-static-svg/icons/nova-color.svg?no-inline'
import nvidia from '@lobehub/icons-static-svg/icons/nvidia-color.svg?no-inline'
import midjourney from '@lobehub/icons-static-svg/icons/midjourney.svg?no-inline'
import suno from '@lobehub/icons-static-svg/icons/suno.svg?no-inline'
import kling from '@lobehub/icons-static-svg/icons/kling-color.svg?no-inline'
import vidu from '@lobehub/icons-static-svg/icons/vidu-color.svg?no-inline'
import runway from '@lobehub/icons-static-svg/icons/runway.svg?no-inline'
import flux from '@lobehub/icons-static-svg/icons/flux.svg?no-inline'
import stability from '@lobehub/icons-static-svg/icons/stability-color.svg?no-inline'
import microsoft from '@lobehub/icons-static-svg/icons/microsoft-color.svg?no-inline'
import azure from '@lobehub/icons-static-svg/icons/azure-color.svg?no-inline'
import bedrock from '@lobehub/icons-static-svg/icons/bedrock-color.svg?no-inline'
import ollama from '@lobehub/icons-static-svg/icons/ollama.svg?no-inline'
import openrouter from '@lobehub/icons-static-svg/icons/openrouter.svg?no-inline'
import cloudflare from '@lobehub/icons-static-svg/icons/cloudflare-color.svg?no-inline'
import groq from '@lobehub/icons-static-svg/icons/groq.svg?no-inline'
import fireworks from '@lobehub/icons-static-svg/icons/fireworks-color.svg?no-inline'
import together from '@lobehub/icons-static-svg/icons/together-color.svg?no-inline'
import siliconcloud from '@lobehub/icons-static-svg/icons/siliconcloud-color.svg?no-inline'
import volcengine from '@lobehub/icons-static-svg/icons/volcengine-color.svg?no-inline'
import vercel from '@lobehub/icons-static-svg/icons/vercel.svg?no-inline'
import huggingface from '@lobehub/icons-static-svg/icons/huggingface-color.svg?no-inline'
import cerebras from '@lobehub/icons-static-svg/icons/cerebras-color.svg?no-inline'
import dify from '@lobehub/icons-static-svg/icons/dify-color.svg?no-inline'
import coze from '@lobehub/icons-static-svg/icons/coze.svg?no-inline'
import fastgpt from '@lobehub/icons-static-svg/icons/fastgpt-color.svg?no-inline'
import sambanova from '@lobehub/icons-static-svg/icons/sambanova-color.svg?no-inline'
import snowflake from '@lobehub/icons-static-svg/icons/snowflake-color.svg?no-inline'
import dbrx from '@lobehub/icons-static-svg/icons/dbrx-color.svg?no-inline'
import vertexai from '@lobehub/icons-static-svg/icons/vertexai-color.svg?no-inline'
import ai360 from '@lobehub/icons-static-svg/icons/ai360-color.svg?no-inline'
import jimeng from '@lobehub/icons-static-svg/icons/jimeng-color.svg?no-inline'
import xinference from '@lobehub/icons-static-svg/icons/xinference-color.svg?no-inline'
import lmstudio from '@lobehub/icons-static-svg/icons/lmstudio.svg?no-inline'
import palm from '@lobehub/icons-static-svg/icons/palm-color.svg?no-inline'
import submodel from '@lobehub/icons-static-svg/icons/submodel-color.svg?no-inline'
import venice from '@lobehub/icons-static-svg/icons/venice.svg?no-inline'

/** A mark as the address of its file. A mark without colors has the color of the text. */
export interface BrandMark {
  file: string
  plain?: boolean
}

const colored = (file: string): BrandMark => ({ file })
const plain = (file: string): BrandMark => ({ file, plain: true })

/** By the id of a provider (core/providers). */
const PROVIDER_MARKS: Readonly<Record<string, BrandMark>> = {
  openai: plain(openai),
  azure: colored(azure),
  anthropic: plain(anthropic),
  aws: colored(bedrock),
  gemini: colored(gemini),
  vertex: colored(vertexai),
  palm: colored(palm),
  deepseek: colored(deepseek),
  ali: colored(qwen),
  mistral: colored(mistral),
  xai: plain(xai),
  zhipu: colored(zhipu),
  'zhipu-v3': colored(zhipu),
  moonshot: plain(moonshot),
  cohere: colored(cohere),
  wenxin: colored(wenxin),
  qianfan: colored(baidu),
  tencent: colored(hunyuan),
  volcengine: colored(volcengine),
  xunfei: colored(spark),
  lingyiwanwu: colored(yi),
  minimax: colored(minimax),
  perplexity: colored(perplexity),
  jina: plain(jina),
  voyage: colored(voyage),
  nvidia: colored(nvidia),
  'midjourney-proxy': plain(midjourney),
  'midjourney-proxy-plus': plain(midjourney),
  suno: plain(suno),
  kling: colored(kling),
  vidu: colored(vidu),
  runway: plain(runway),
  jimeng: colored(jimeng),
  ollama: plain(ollama),
  openrouter: plain(openrouter),
  cloudflare: colored(cloudflare),
  groq: plain(groq),
  fireworks: colored(fireworks),
  together: colored(together),
  siliconflow: colored(siliconcloud),
  vercel: plain(vercel),
  huggingface: colored(huggingface),
  cerebras: colored(cerebras),
  dify: colored(dify),
  coze: plain(coze),
  fastgpt: colored(fastgpt),
  sambanova: colored(sambanova),
  snowflake: colored(snowflake),
  databricks: colored(dbrx),
  360: colored(ai360),
  xinference: colored(xinference),
  'lm-studio': plain(lmstudio),
  submodel: colored(submodel),
  venice: plain(venice),
}

/** By the beginning of a model's name. */
const MODEL_MARKS: readonly (readonly [RegExp, BrandMark])[] = [
  [
    /^(?:gpt-|chatgpt|o[1-9](-|$)|codex|text-embedding-|text-moderation|omni-moderation|dall-e|whisper|tts-|davinci|babbage|sora)/,
    plain(openai),
  ],
  [/^(?:claude)/, colored(claude)],
  [/^(?:gemma)/, colored(gemma)],
  [/^(?:gemini|models\/gemini|text-embedding-00|learnlm)/, colored(gemini)],
  [/^(?:palm|imagen|veo)/, colored(google)],
  [/^(?:deepseek)/, colored(deepseek)],
  [/^(?:qwen|qwq|qvq|tongyi|wan[x0-9])/, colored(qwen)],
  [/^(?:llama|meta-|codellama)/, colored(meta)],
  [/^(?:mistral|mixtral|codestral|ministral|pixtral|magistral|devstral|open-mi)/, colored(mistral)],
  [/^(?:grok)/, plain(grok)],
  [/^(?:glm|chatglm|cogview|cogvideo|charglm)/, colored(zhipu)],
  [/^(?:kimi)/, plain(kimi)],
  [/^(?:moonshot)/, plain(moonshot)],
  [/^(?:command|c4ai|aya|rerank-|embed-)/, colored(cohere)],
  [/^(?:ernie|bloomz)/, colored(wenxin)],
  [/^(?:hunyuan)/, colored(hunyuan)],
  [/^(?:doubao|seed)/, colored(doubao)],
  [/^(?:spark)/, colored(spark)],
  [/^(?:yi-)/, colored(yi)],
  [/^(?:minimax|abab|hailuo)/, colored(minimax)],
  [/^(?:sonar|pplx)/, colored(perplexity)],
  [/^(?:jina)/, plain(jina)],
  [/^(?:voyage)/, colored(voyage)],
  [/^(?:bge-)/, plain(baai)],
  [/^(?:nova|titan)/, colored(nova)],
  [/^(?:nemotron|nv-)/, colored(nvidia)],
  [/^(?:mj[-_]|midjourney|niji)/, plain(midjourney)],
  [/^(?:suno|chirp)/, plain(suno)],
  [/^(?:kling)/, colored(kling)],
  [/^(?:vidu)/, colored(vidu)],
  [/^(?:gen[34]|runway)/, plain(runway)],
  [/^(?:flux)/, plain(flux)],
  [/^(?:stable-|sd[0-9x]|stability)/, colored(stability)],
  [/^(?:phi-?[0-9]|wizardlm)/, colored(microsoft)],
  [/^(?:360)/, colored(ai360)],
  [/^(?:jimeng)/, colored(jimeng)],
]

/** Names of gateways name the maker first: `anthropic/claude-sonnet-4`, `anthropic.claude-sonnet-4`. */
const BEFORE_NAME = /^(?:.*\/|(?:\w{2}\.)?[a-z]\w+\.(?=[a-z]))/

export const findProviderMark = (id: string): BrandMark | undefined => PROVIDER_MARKS[id]

/** Returns undefined if the maker of the model is unknown. */
export function findModelMark(model: string): BrandMark | undefined {
  const name = model.toLowerCase().replace(BEFORE_NAME, '')
  return MODEL_MARKS.find(([beginning]) => beginning.test(name))?.[1]
}
