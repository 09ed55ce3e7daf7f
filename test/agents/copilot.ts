// Copilot CLI, by GitHub, with a provider of the user's own (`copilot help providers`).
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../support/json.ts'
import { callOf, jsonLines, patchOf, sum, type Agent } from './agent.ts'

/** Its words for each format, and the base URL that it wants. */
const formats: readonly [Agent['speaks'], env: Record<string, string>, path: string][] = [
  ['Chat', { COPILOT_PROVIDER_TYPE: 'openai', COPILOT_PROVIDER_WIRE_API: 'completions' }, '/v1'],
  ['Responses', { COPILOT_PROVIDER_TYPE: 'openai', COPILOT_PROVIDER_WIRE_API: 'responses' }, '/v1'],
  ['Messages', { COPILOT_PROVIDER_TYPE: 'anthropic' }, ''],
]

export const copilot: readonly Agent[] = formats.map(([speaks, env, path]) => ({
  name: 'Copilot CLI',
  install: '@github/copilot@1.0.102',
  command: 'copilot',
  speaks,
  unknownToRun: true,
  start: ({ url, key, model }, prompt) => ({
    args: ['-p', prompt, '--output-format', 'json', '--allow-all-tools', '--disable-client-telemetry'],
    env: {
      ...env,
      COPILOT_PROVIDER_BASE_URL: url + path,
      COPILOT_PROVIDER_API_KEY: key,
      COPILOT_MODEL: model,
      COPILOT_OFFLINE: 'true',
    },
  }),
  read: (asked, file) => callOf(asked, 'view', { path: file }),
  write(asked, file, content) {
    const patch = patchOf(file, content)
    const call = callOf(asked, 'apply_patch', { input: patch })
    return callOf(asked, 'create', { path: file, file_text: content }) ?? (call && { ...call, input: patch })
  },
  heard(stdout, home) {
    const words = jsonLines(stdout).flatMap(({ type, data }) =>
      type === 'assistant.message' && data.content ? [data.content as string] : [],
    )
    const sessions = join(home, '.copilot/session-state')
    const ids = readdirSync(sessions).filter((name) => !name.startsWith('.'))
    const ends = ids.flatMap((session) =>
      jsonLines(readFileSync(join(sessions, session, 'events.jsonl'), 'utf8')).filter(
        ({ type }) => type === 'session.shutdown',
      ),
    )
    const usages: Json[] = ends.flatMap(({ data }) =>
      Object.values(data.accountingSnapshot.modelMetrics as Json).map((metrics) => (metrics as Json).usage),
    )
    if (usages.length === 0) throw new Error(`Copilot gave no result: ${stdout.slice(-500)}`)
    return {
      text: words.at(-1) ?? '',
      reported: {
        prompt: sum(usages.map(({ inputTokens }) => inputTokens)),
        cached: sum(usages.map(({ cacheReadTokens }) => cacheReadTokens)),
        completion: sum(usages.map(({ outputTokens }) => outputTokens)),
      },
    }
  },
}))
