// Together AI: open models.
import { createOpenaiEndpoints } from './openai-endpoints.ts'
import { names, provider } from './provider.ts'

export const together = provider({
  type: 1002,
  id: 'together',
  name: 'Together AI',
  base_url: 'https://api.together.xyz',
  thoughts: 'by_model',
  models: names(`
    deepseek-ai/DeepSeek-V4-Pro, deepseek-ai/DeepSeek-V3-1, deepseek-ai/DeepSeek-R1, MiniMaxAI/MiniMax-M3,
    MiniMaxAI/MiniMax-M2.7, moonshotai/Kimi-K2.7-Code, moonshotai/Kimi-K2.6, zai-org/GLM-5.2, zai-org/GLM-5.1,
    Qwen/Qwen3.7-Max, Qwen/Qwen3.5-397B-A17B, openai/gpt-oss-120b, openai/gpt-oss-20b,
    meta-llama/Llama-3.3-70B-Instruct-Turbo, google/gemma-4-31B-it
  `),
  env: 'TOGETHER_API_KEY',
  ...createOpenaiEndpoints(
    'chat',
    'completions',
    'embeddings',
    'rerank',
    'images',
    'speech',
    'transcriptions',
    'translations',
  ),
  models_path: '/v1/models',
})
