// The vendors whose models are facts: those that Weir has a type of channel for, under the names that they themselves use.
export interface Vendor {
  /** As the catalogue of prices calls it. */
  id: string
  /** Its sections in models.dev, the best first: its own, then clouds that sell its models under its names and prices. */
  modelsDev: readonly string[]
  /** Its sections in LiteLLM's list (`litellm_provider`), likewise. */
  liteLlm: readonly string[]
  /** Its own models: several vendors sell those of others too. */
  own: RegExp
  /** A cloud's name of its models, with the vendor's name as the first group. */
  cloudName?: RegExp
}

export const vendors: readonly Vendor[] = [
  // Amazon's names begin with its own; the rest of Bedrock is sold for others.
  { id: 'amazon', modelsDev: ['amazon-bedrock'], liteLlm: ['bedrock', 'bedrock_converse'], own: /^amazon\./ },
  {
    id: 'alibaba',
    modelsDev: ['alibaba', 'alibaba-cn'],
    liteLlm: ['dashscope'],
    own: /^(qwen|qwq|qvq|wan\d|happyhorse|text-embedding-v|tongyi)/,
  },
  {
    id: 'anthropic',
    modelsDev: ['anthropic', 'google-vertex-anthropic', 'amazon-bedrock'],
    liteLlm: ['anthropic', 'bedrock_converse', 'bedrock'],
    own: /^claude-(?!v\d|instant)/,
    cloudName: /^(?:anthropic\.)?(claude-.+?)(?:@\w+|-v\d+(?::\d+)?)?$/,
  },
  { id: 'bytedance', modelsDev: ['volcengine'], liteLlm: ['volcengine'], own: /^doubao-/ },
  { id: 'cohere', modelsDev: ['cohere'], liteLlm: ['cohere', 'cohere_chat'], own: /^(c4ai|command|embed|north|rerank)-/ },
  { id: 'deepseek', modelsDev: ['deepseek'], liteLlm: ['deepseek'], own: /^deepseek-/ },
  {
    id: 'google',
    modelsDev: ['google', 'google-vertex'],
    liteLlm: ['gemini'],
    own: /^(gemini|gemma|imagen|veo|lyria|learnlm|deep-research|text-embedding)-/,
  },
  { id: 'jina', modelsDev: [], liteLlm: ['jina_ai'], own: /^jina-/ },
  { id: 'minimax', modelsDev: ['minimax'], liteLlm: ['minimax'], own: /^(MiniMax|speech)-/ },
  { id: 'mistral', modelsDev: ['mistral'], liteLlm: ['mistral'], own: /mistral|mixtral|codestral|devstral|magistral|pixtral|ministral|voxtral/ },
  { id: 'moonshotai', modelsDev: ['moonshotai'], liteLlm: ['moonshot'], own: /^(kimi|moonshot)-/ },
  {
    id: 'openai',
    modelsDev: ['openai', 'azure'],
    liteLlm: ['openai'],
    own: /^(gpt|o\d|chatgpt|codex|computer-use|dall-e|sora|tts|whisper|text-embedding|omni-moderation)\b/,
  },
  { id: 'perplexity', modelsDev: ['perplexity'], liteLlm: ['perplexity'], own: /^sonar\b/ },
  { id: 'runway', modelsDev: [], liteLlm: ['runwayml'], own: /^(gen\d(?!.*image)|aleph)/ },
  { id: 'tencent', modelsDev: ['tencent-tokenhub'], liteLlm: ['tencent'], own: /^(hunyuan-|hy\d)/ },
  { id: 'voyage', modelsDev: [], liteLlm: ['voyage'], own: /^(voyage|rerank)-/ },
  { id: 'xai', modelsDev: ['xai'], liteLlm: ['xai'], own: /^grok-/ },
  { id: 'xiaomi', modelsDev: ['xiaomi'], liteLlm: ['xiaomi'], own: /^mimo-/ },
  { id: 'zai', modelsDev: ['zai', 'zhipuai'], liteLlm: ['zai', 'bigmodel'], own: /^glm-/ },
]
