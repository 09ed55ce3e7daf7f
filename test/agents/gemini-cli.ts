// Gemini CLI, by Google.
import type { Json } from '../support/json.ts'
import { callOf, sum, type Agent } from './agent.ts'

export const geminiCli: Agent = {
  name: 'Gemini CLI',
  install: '@google/gemini-cli@0.61.0',
  command: 'gemini',
  speaks: 'Gemini',
  start: ({ url, key, model, led }, prompt) => ({
    args: ['-p', prompt, ...(led ? [] : ['-m', model]), '--yolo', '--skip-trust', '-o', 'json'],
    env: { ...(led ? {} : { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: key }) },
    files: {
      '.gemini/settings.json': JSON.stringify({
        // As of somebody who has signed in with an account of their own before.
        security: { auth: { selectedType: led ? 'oauth-personal' : 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      }),
    },
  }),
  read: (asked, file) => callOf(asked, 'read_file', { file_path: file }),
  write: (asked, file, content) => callOf(asked, 'write_file', { file_path: file, content }),
  heard: (stdout) => fromStatistics(JSON.parse(stdout.slice(stdout.indexOf('{'))) as Json, ['candidates', 'thoughts']),
}

/**
 * What Gemini CLI, and Qwen Code after it, tell at the end.
 * @param answer the counts that make an answer
 */
export function fromStatistics(
  { response, result, stats, error }: Json,
  answer: readonly string[],
): ReturnType<Agent['heard']> {
  if (error) throw new Error(`no result: ${JSON.stringify(error)}`)
  const tokens: Json[] = Object.values(stats.models as Json).map((model) => (model as Json).tokens)
  return {
    text: response ?? result,
    reported: {
      prompt: sum(tokens.map(({ prompt }) => prompt)),
      cached: sum(tokens.map(({ cached }) => cached)),
      completion: sum(tokens.flatMap((counts) => answer.map((name) => counts[name]))),
    },
  }
}
