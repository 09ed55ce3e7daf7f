// Qwen Code, by Alibaba.
import { callOf, type Agent } from './agent.ts'
import { fromStatistics } from './gemini-cli.ts'
import type { Json } from '../support/json.ts'

export const qwenCode: Agent = {
  name: 'Qwen Code',
  install: '@qwen-code/qwen-code@0.24.4',
  command: 'qwen',
  speaks: 'Chat',
  start: ({ url, key, model, led }, prompt) => ({
    args: [prompt, ...(led ? [] : ['-m', model]), '--yolo', '-o', 'json', '--auth-type', 'openai'],
    env: { ...(led ? {} : { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: key, OPENAI_MODEL: model }) },
    files: {
      '.qwen/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'openai' } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { enableAutoUpdate: false },
      }),
    },
  }),
  read: (asked, file) => callOf(asked, 'read_file', { file_path: file }),
  write: (asked, file, content) => callOf(asked, 'write_file', { file_path: file, content }),
  heard(stdout) {
    const said = JSON.parse(stdout.slice(stdout.search(/^[[{]/m))) as Json
    // OpenAI's count of an answer has its thoughts in it.
    return fromStatistics(Array.isArray(said) ? said.findLast(({ type }) => type === 'result') : said, ['candidates'])
  },
}
