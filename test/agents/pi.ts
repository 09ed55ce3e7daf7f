// pi, with each of the formats that its custom providers speak. It needs a newer Node than Weir does.
import { callOf, jsonLines, sum, type Agent } from './agent.ts'

/** Its word for each format, and the base URL that it wants. */
const apis: readonly [Agent['speaks'], api: string, path: string][] = [
  ['Chat', 'openai-completions', '/v1'],
  ['Responses', 'openai-responses', '/v1'],
  ['Messages', 'anthropic-messages', ''],
  ['Gemini', 'google-generative-ai', '/v1beta'],
]

/** Of models under a provider of the user's own it does not know that they think as today's Claude does. */
const compatOf = (speaks: Agent['speaks']) => (speaks === 'Messages' ? { forceAdaptiveThinking: true } : {})

export const pi: readonly Agent[] = apis.map(([speaks, api, path]) => ({
  name: 'pi',
  install: '@earendil-works/pi-coding-agent@1.6.0 node@24',
  command: 'pi',
  speaks,
  unknownToRun: true,
  start: ({ url, key, model }, prompt) => ({
    args: ['--offline', '--no-session', '--mode', 'json', '-p', '--provider', 'weir', '--model', model, prompt],
    files: {
      '.pi/agent/models.json': JSON.stringify({
        providers: {
          weir: {
            baseUrl: url + path,
            api,
            apiKey: key,
            compat: compatOf(speaks),
            models: [{ id: model, reasoning: true }],
          },
        },
      }),
    },
  }),
  read: (asked, file) => callOf(asked, 'read', { path: file }),
  write: (asked, file, content) => callOf(asked, 'write', { path: file, content }),
  heard(stdout) {
    const messages = jsonLines(stdout).flatMap(({ type, message }) =>
      type === 'message_end' && message.role === 'assistant' ? [message] : [],
    )
    const last = messages.at(-1)
    if (!last || last.errorMessage) throw new Error(`pi gave no result: ${last?.errorMessage ?? stdout.slice(-500)}`)
    const usages = messages.map(({ usage }) => usage)
    return {
      text: last.content.flatMap(({ text }: { text?: string }) => text ?? []).join(''),
      reported: {
        prompt: sum(usages.flatMap(({ input, cacheRead, cacheWrite }) => [input, cacheRead, cacheWrite])),
        cached: sum(usages.map(({ cacheRead }) => cacheRead)),
        completion: sum(usages.map(({ output }) => output)),
      },
    }
  },
}))
