// Providers as Bifrost calls them, and the types of our channels.
export const BIFROST_PROVIDERS: Readonly<Record<string, number>> = {
openai: 1, azure: 3, ollama: 4, anthropic: 14, openrouter: 20, gemini: 24, perplexity: 27, bedrock: 33, cohere: 34,
vertex: 41, mistral: 42, deepseek: 43, xai: 48, groq: 1001, fireworks: 1003, cerebras: 1004, huggingface: 1005,
sgl: 1, vllm: 1,
}
