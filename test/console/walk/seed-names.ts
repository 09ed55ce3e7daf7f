// Realistic names for the rows of a filled installation, for pictures.

/** Channels: name, type and models. */
export const PROVIDERS: readonly (readonly [name: string, type: number, models: string])[] = [
  ['OpenAI main', 1, 'gpt-4.1,gpt-4.1-mini,gpt-4o,gpt-4o-mini,o3'],
  ['Anthropic', 14, 'claude-sonnet-4-20250514,claude-opus-4-20250514'],
  ['Gemini', 24, 'gemini-2.5-pro,gemini-2.5-flash'],
  ['Azure East', 3, 'gpt-4.1,gpt-4o'],
  ['DeepSeek', 43, 'deepseek-chat,deepseek-reasoner'],
  ['OpenAI spare', 1, 'gpt-4o,gpt-4o-mini'],
  ['Mistral', 42, 'mistral-large-latest'],
  ['Ollama rack 2', 4, 'qwen3,llama3.3'],
]

export const MODELS = ['gpt-4.1', 'claude-sonnet-4-20250514', 'gpt-4o-mini', 'gemini-2.5-flash', 'deepseek-chat']
export const PROGRAMS = ['ci', 'notebook', 'support bot', 'search', 'translation', 'code review', 'reports', 'pipeline']
export const CUSTOMERS = ['ines', 'jonas', 'mei', 'omar', 'petra', 'raj', 'sofia', 'tomas']
export const TEAMS = ['Research', 'Support', 'Platform', 'Mobile', 'Finance', 'Design', 'Data', 'Growth']

/** One of them for each number from 1; those of a second round and on say which. */
export const named = (names: readonly string[], n: number): string => {
  const round = Math.floor((n - 1) / names.length)
  return `${names[(n - 1) % names.length]!}${round === 0 ? '' : ` ${round + 1}`}`
}
