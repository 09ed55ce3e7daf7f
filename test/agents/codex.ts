// Codex, by OpenAI.
import { callOf, jsonLines, patchOf, sum, type Agent, type Place } from './agent.ts'

const config = ({ url, model, home, led }: Place) => `model_catalog_json = "${home}/.codex/models.json"
check_for_update_on_startup = false
${led ? '' : provider(url, model)}
[analytics]
enabled = false
[otel]
exporter = "none"
`

const provider = (url: string, model: string) => `model = "${model}"
model_provider = "weir"
[model_providers.weir]
name = "Weir"
base_url = "${url}/v1"
env_key = "WEIR_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`

/** What Codex knows of OpenAI's models, said of this one: with it come freeform patches. */
const catalog = (slug: string) => ({
  models: [
    {
      slug,
      display_name: slug,
      description: 'A model behind Weir.',
      default_reasoning_level: 'medium',
      supported_reasoning_levels: ['low', 'medium', 'high'].map((effort) => ({ effort, description: effort })),
      shell_type: 'unified_exec',
      visibility: 'list',
      supported_in_api: true,
      priority: 1,
      base_instructions: 'You are Codex, a coding agent. You and the user share one workspace.',
      supports_reasoning_summaries: true,
      default_reasoning_summary: 'auto',
      support_verbosity: false,
      apply_patch_tool_type: 'freeform',
      web_search_tool_type: 'text',
      truncation_policy: { mode: 'tokens', limit: 10_000 },
      supports_parallel_tool_calls: true,
      context_window: 200_000,
      experimental_supported_tools: [],
      input_modalities: ['text', 'image'],
    },
  ],
})

export const codex: Agent = {
  name: 'Codex',
  install: '@openai/codex@0.171.0',
  command: 'codex',
  speaks: 'Responses',
  start: (place, prompt) => ({
    args: ['exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt],
    env: { ...(place.led ? {} : { WEIR_KEY: place.key }), CODEX_HOME: `${place.home}/.codex` },
    files: { '.codex/config.toml': config(place), '.codex/models.json': JSON.stringify(catalog(place.model)) },
  }),
  read: (asked, file) =>
    callOf(asked, 'exec_command', { cmd: `cat ${file}` }) ??
    callOf(asked, 'shell_command', { command: `cat ${file}` }) ??
    callOf(asked, 'shell', { command: ['cat', file] }),
  write(asked, file, content) {
    const input = patchOf(file, content)
    const call = callOf(asked, 'apply_patch', { input })
    return call && { ...call, input }
  },
  heard(stdout) {
    const events = jsonLines(stdout)
    const failed = events.find(({ type }) => type === 'turn.failed' || type === 'error')
    const turns = events.filter(({ type }) => type === 'turn.completed').map(({ usage }) => usage)
    if (failed || turns.length === 0)
      throw new Error(`Codex gave no result: ${JSON.stringify(failed) ?? stdout.slice(-500)}`)
    const words = events.flatMap(({ type, item }) =>
      type === 'item.completed' && item.type === 'agent_message' ? [item.text] : [],
    )
    return {
      text: words.at(-1) ?? '',
      reported: {
        prompt: sum(turns.map(({ input_tokens }) => input_tokens)),
        cached: sum(turns.map(({ cached_input_tokens }) => cached_input_tokens)),
        completion: sum(turns.map(({ output_tokens }) => output_tokens)),
      },
    }
  },
}
