// mini-swe-agent, by the makers of SWE-bench: one tool, a shell, and litellm.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../support/json.ts'
import { callOf, sum, type Agent } from './agent.ts'

export const miniSweAgent: Agent = {
  name: 'mini-swe-agent',
  install: 'mini-swe-agent==2.4.6',
  registry: 'pypi',
  command: 'mini',
  speaks: 'Chat',
  unknownToRun: true,
  start: ({ url, key, model, home }, prompt) => ({
    args: ['-m', `openai/${model}`, '-t', prompt, '-y', '--exit-immediately', '-l', '0', '-o', join(home, 'said.json')],
    env: {
      OPENAI_API_BASE: `${url}/v1`,
      OPENAI_API_KEY: key,
      LITELLM_LOCAL_MODEL_COST_MAP: 'True',
      MSWEA_CONFIGURED: 'true',
      MSWEA_COST_TRACKING: 'ignore_errors',
      MSWEA_SILENT_STARTUP: '1',
    },
  }),
  read: (asked, file) => callOf(asked, 'bash', { command: `cat ${file}` }),
  write: (asked, file, content) => callOf(asked, 'bash', { command: `echo '${content}' > ${file}` }),
  finish: (text) => ({
    name: 'bash',
    args: { command: `printf '%s\\n' COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT '${text}'` },
  }),
  heard(_, home) {
    const { info, messages } = JSON.parse(readFileSync(join(home, 'said.json'), 'utf8')) as Json
    const usages: Json[] = messages.flatMap(({ extra }: Json) => extra?.response?.usage ?? [])
    if (info.exit_status !== 'Submitted') throw new Error(`mini-swe-agent gave no result: ${info.exit_status}`)
    return {
      text: info.submission,
      reported: {
        prompt: sum(usages.map(({ prompt_tokens }) => prompt_tokens)),
        cached: sum(usages.map(({ prompt_tokens_details }) => prompt_tokens_details?.cached_tokens)),
        completion: sum(usages.map(({ completion_tokens }) => completion_tokens)),
      },
    }
  },
}
