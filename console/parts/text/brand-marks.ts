// The marks of providers and of makers of models, by the names of files of @lobehub/icons-static-svg (MIT;
// public/licences.txt). The build puts those that are named here into one file, see brand-sprite.ts.

/** By the id of a provider (core/providers). */
const PROVIDER_MARKS: Readonly<Record<string, string>> = {
  openai: 'openai',
  azure: 'azure-color',
  anthropic: 'anthropic',
  aws: 'bedrock-color',
  gemini: 'gemini-color',
  vertex: 'vertexai-color',
  palm: 'palm-color',
  deepseek: 'deepseek-color',
  ali: 'qwen-color',
  mistral: 'mistral-color',
  xai: 'xai',
  zhipu: 'zhipu-color',
  'zhipu-v3': 'zhipu-color',
  moonshot: 'moonshot',
  cohere: 'cohere-color',
  wenxin: 'wenxin-color',
  qianfan: 'baidu-color',
  tencent: 'hunyuan-color',
  volcengine: 'volcengine-color',
  xunfei: 'spark-color',
  lingyiwanwu: 'yi-color',
  minimax: 'minimax-color',
  perplexity: 'perplexity-color',
  jina: 'jina',
  voyage: 'voyage-color',
  nvidia: 'nvidia-color',
  'midjourney-proxy': 'midjourney',
  'midjourney-proxy-plus': 'midjourney',
  suno: 'suno',
  kling: 'kling-color',
  vidu: 'vidu-color',
  runway: 'runway',
  jimeng: 'jimeng-color',
  ollama: 'ollama',
  openrouter: 'openrouter',
  cloudflare: 'cloudflare-color',
  groq: 'groq',
  fireworks: 'fireworks-color',
  together: 'together-color',
  siliconflow: 'siliconcloud-color',
  vercel: 'vercel',
  huggingface: 'huggingface-color',
  cerebras: 'cerebras-color',
  dify: 'dify-color',
  coze: 'coze',
  fastgpt: 'fastgpt-color',
  sambanova: 'sambanova-color',
  snowflake: 'snowflake-color',
  databricks: 'dbrx-color',
  360: 'ai360-color',
  xinference: 'xinference-color',
  'lm-studio': 'lmstudio',
  submodel: 'submodel-color',
  venice: 'venice',
}

/** By the beginning of a model's name. */
const MODEL_MARKS: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:gpt-|chatgpt|o[1-9](-|$)|codex|text-embedding-|text-moderation|omni-moderation|dall-e|whisper|tts-|davinci|babbage|sora)/,
    'openai',
  ],
  [/^(?:claude)/, 'claude-color'],
  [/^(?:gemma)/, 'gemma-color'],
  [/^(?:gemini|models\/gemini|text-embedding-00|learnlm)/, 'gemini-color'],
  [/^(?:palm|imagen|veo)/, 'google-color'],
  [/^(?:deepseek)/, 'deepseek-color'],
  [/^(?:qwen|qwq|qvq|tongyi|wan[x0-9])/, 'qwen-color'],
  [/^(?:llama|meta-|codellama)/, 'meta-color'],
  [/^(?:mistral|mixtral|codestral|ministral|pixtral|magistral|devstral|open-mi)/, 'mistral-color'],
  [/^(?:grok)/, 'grok'],
  [/^(?:glm|chatglm|cogview|cogvideo|charglm)/, 'zhipu-color'],
  [/^(?:kimi)/, 'kimi'],
  [/^(?:moonshot)/, 'moonshot'],
  [/^(?:command|c4ai|aya|rerank-|embed-)/, 'cohere-color'],
  [/^(?:ernie|bloomz)/, 'wenxin-color'],
  [/^(?:hunyuan)/, 'hunyuan-color'],
  [/^(?:doubao|seed)/, 'doubao-color'],
  [/^(?:spark)/, 'spark-color'],
  [/^(?:yi-)/, 'yi-color'],
  [/^(?:minimax|abab|hailuo)/, 'minimax-color'],
  [/^(?:sonar|pplx)/, 'perplexity-color'],
  [/^(?:jina)/, 'jina'],
  [/^(?:voyage)/, 'voyage-color'],
  [/^(?:bge-)/, 'baai'],
  [/^(?:nova|titan)/, 'nova-color'],
  [/^(?:nemotron|nv-)/, 'nvidia-color'],
  [/^(?:mj[-_]|midjourney|niji)/, 'midjourney'],
  [/^(?:suno|chirp)/, 'suno'],
  [/^(?:kling)/, 'kling-color'],
  [/^(?:vidu)/, 'vidu-color'],
  [/^(?:gen[34]|runway)/, 'runway'],
  [/^(?:flux)/, 'flux'],
  [/^(?:stable-|sd[0-9x]|stability)/, 'stability-color'],
  [/^(?:phi-?[0-9]|wizardlm)/, 'microsoft-color'],
  [/^(?:360)/, 'ai360-color'],
  [/^(?:jimeng)/, 'jimeng-color'],
]

/** Names of gateways name the maker first: `anthropic/claude-sonnet-4`, `anthropic.claude-sonnet-4`. */
const BEFORE_NAME = /^(?:.*\/|(?:\w{2}\.)?[a-z]\w+\.(?=[a-z]))/

export const findProviderMark = (id: string): string | undefined => PROVIDER_MARKS[id]

/** Returns undefined if the maker of the model is unknown. */
export function findModelMark(model: string): string | undefined {
  const name = model.toLowerCase().replace(BEFORE_NAME, '')
  return MODEL_MARKS.find(([beginning]) => beginning.test(name))?.[1]
}

/** The files of all marks. Marks whose names end in `-color` are colored. */
export const brandMarkFiles: readonly string[] = [
  ...new Set([...Object.values(PROVIDER_MARKS), ...MODEL_MARKS.map(([, file]) => file)]),
].sort()
