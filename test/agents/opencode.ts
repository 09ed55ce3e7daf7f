// opencode, with each of the kinds of providers that it knows.
import { callOf, jsonLines, patchOf, sum, type Agent, type Place } from './agent.ts'

/** The AI SDK's package for each format, and the base URL that it wants. */
const providers: readonly [Agent['speaks'], npm: string, path: string][] = [
  ['Chat', '@ai-sdk/openai-compatible', '/v1'],
  ['Responses', '@ai-sdk/openai', '/v1'],
  ['Messages', '@ai-sdk/anthropic', '/v1'],
  ['Gemini', '@ai-sdk/google', '/v1beta'],
]

const configOf = ({ url, key, model }: Pick<Place, 'url' | 'key' | 'model'>, npm: string, path: string): string =>
  JSON.stringify({
    $schema: 'https://opencode.ai/config.json',
    small_model: `weir/${model}`,
    autoupdate: false,
    share: 'disabled',
    provider: {
      weir: {
        npm,
        name: 'Weir',
        options: { baseURL: url + path, apiKey: key },
        models: {
          [model]: { name: model, tool_call: true, reasoning: true, limit: { context: 200_000, output: 32_000 } },
        },
      },
    },
  })

export const opencode: readonly Agent[] = providers.map(([speaks, npm, path]) => ({
  name: 'opencode',
  install: 'opencode-ai@1.18.33',
  command: 'opencode',
  speaks,
  ...(speaks === 'Chat' ? {} : { unknownToRun: true }),
  start: ({ url, key, model, home, led }, prompt) => ({
    args: [
      'run',
      '--pure',
      '--auto',
      '--format',
      'json',
      '--title',
      'Notes',
      ...(led ? [] : ['--model', `weir/${model}`]),
      prompt,
    ],
    env: {
      ...Object.fromEntries(
        ['CONFIG', 'DATA', 'STATE', 'CACHE'].map((kind) => [`XDG_${kind}_HOME`, `${home}/${kind}`]),
      ),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_SHARE: '1',
      ...(led ? {} : { OPENCODE_CONFIG_CONTENT: configOf({ url, key, model }, npm, path) }),
    },
  }),
  read: (asked, file) => callOf(asked, 'read', { filePath: file }),
  // To GPT it offers a patch instead.
  write: (asked, file, content) =>
    callOf(asked, 'write', { filePath: file, content }) ??
    callOf(asked, 'apply_patch', { patchText: patchOf(file, content) }),
  heard(stdout) {
    const events = jsonLines(stdout)
    const failed = events.find(({ type }) => type === 'error')
    const steps = events.filter(({ type }) => type === 'step_finish').map(({ part }) => part.tokens)
    if (failed || steps.length === 0)
      throw new Error(`opencode gave no result: ${JSON.stringify(failed) ?? stdout.slice(-500)}`)
    const words = events.flatMap(({ type, part }) => (type === 'text' ? [part.text] : []))
    const cached = sum(steps.map(({ cache }) => cache.read))
    return {
      text: words.at(-1) ?? '',
      reported: {
        prompt: sum(steps.flatMap(({ input, cache }) => [input, cache.read, cache.write])),
        cached,
        completion: sum(steps.flatMap(({ output, reasoning }) => [output, reasoning])),
      },
    }
  },
}))
