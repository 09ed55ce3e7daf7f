// Providers as LiteLLM calls them (before the `/` of a model), and the types of our channels.
export const LITELLM_PROVIDERS: Readonly<Record<string, number>> = {
openai: 1, 'text-completion-openai': 1, openai_like: 1, custom_openai: 1, litellm_proxy: 1, azure_ai: 1,
hosted_vllm: 1, vllm: 1, infinity: 1, azure: 3, azure_text: 3, ollama: 4, ollama_chat: 4, anthropic: 14,
anthropic_text: 14, dashscope: 17, openrouter: 20, gemini: 24, moonshot: 25, zai: 26, perplexity: 27,
bedrock: 33, bedrock_converse: 33, cohere: 34, cohere_chat: 34, minimax: 35, jina_ai: 38, cloudflare: 39,
siliconflow: 40, vertex_ai: 41, vertex_ai_beta: 41, mistral: 42, codestral: 42, deepseek: 43, volcengine: 45,
xinference: 47, xai: 48, groq: 1001, together_ai: 1002, fireworks_ai: 1003, cerebras: 1004, huggingface: 1005,
vercel_ai_gateway: 1006, venice: 1007, voyage: 1008, databricks: 1009, snowflake: 1010, nvidia_nim: 1011,
sambanova: 1012, lm_studio: 1013, llamafile: 1014,
}

/** The provider of a model whose name has no provider prefix. */
export const BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/^(gpt-|o\d|chatgpt-|text-embedding-|dall-e-|whisper-|tts-|omni-moderation|davinci|babbage|sora)/, 'openai'],
  [/^claude-/, 'anthropic'],
  [/^gemini-/, 'vertex_ai'],
  [/^(command|embed-|rerank-)/, 'cohere'],
  [/^deepseek-/, 'deepseek'],
  [/^(mistral-|codestral|open-mi[sx]tral)/, 'mistral'],
]
