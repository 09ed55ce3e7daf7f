// Mistral Vibe, by Mistral.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../support/json.ts'
import { callOf, type Agent, type Place } from './agent.ts'

const config = ({ url, model }: Place): string => `active_model = "weir"
enable_telemetry = false
enable_update_checks = false
[[providers]]
name = "weir"
api_base = "${url}/v1"
api_key_env_var = "WEIR_KEY"
api_style = "openai"
backend = "generic"
[[models]]
name = "${model}"
provider = "weir"
alias = "weir"
`

export const mistralVibe: Agent = {
  name: 'Mistral Vibe',
  install: 'mistral-vibe==3.0.2',
  registry: 'pypi',
  command: 'vibe',
  speaks: 'Chat',
  unknownToRun: true,
  start: (place, prompt) => ({
    args: ['-p', prompt, '--output', 'json', '--trust', '--auto-approve', '--output-dir', join(place.home, 'out')],
    env: { WEIR_KEY: place.key },
    files: { '.vibe/config.toml': config(place) },
  }),
  read: (asked, file) => callOf(asked, 'read_file', { path: file }),
  write: (asked, file, content) => callOf(asked, 'write_file', { path: file, content }),
  heard(stdout, home) {
    const entries = JSON.parse(stdout.slice(stdout.indexOf('['))) as Json[]
    const last = entries.findLast(({ role }) => role === 'assistant')
    const { outcome, error, usage } = JSON.parse(readFileSync(join(home, 'out/export.json'), 'utf8')) as Json
    if (!last || outcome !== 'finished') throw new Error(`Vibe gave no result: ${JSON.stringify(error)}`)
    return {
      text: last.content.flatMap(({ text }: Json) => text ?? []).join(''),
      reported: { prompt: usage.input_tokens, cached: usage.cached_input_tokens, completion: usage.output_tokens },
    }
  },
}
